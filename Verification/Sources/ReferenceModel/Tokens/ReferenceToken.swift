/// A token as the definitions have it: what the schema's comments say of each column, and its rows of the ledger.
struct ReferenceToken: Sendable {
    enum State: String, CaseIterable, Sendable {
        /// The best first.
        case active, suspect, stale, retired
    }

    /// A row of the ledger.
    struct Entry: Sendable {
        let at: Int64
        let rule: String
        /// Nil when the token was not known before.
        let from: State?
        let to: State
        /// The cause before it, which a restoration brings back.
        var causeBefore: String?
        var isOfRun = false
        var sentAt: Int64?
        var invalidSince: Int64?
        /// The last registration, as the rule saw it.
        var registeredAt: Int64?
        var environmentVerdict: String?
        var undoneRule: String?
        /// The phone that has it from now on, where that is what it says.
        var taker: Int?

        var changesState: Bool { from != to }

        /// When what it tells of took place: the registration, or the sending of the push; what the service decides by itself, when it
        /// does.
        var happenedAt: Int64 {
            let isRegistration = ["registered", "revived", "transferred", "rotated"].contains(rule)
            return min(at, (isRegistration ? registeredAt : sentAt) ?? at)
        }
    }

    private(set) var state: State
    private(set) var cause: String?
    /// Which phone registered it last.
    var owner: Int?
    var topic: String
    var hasValue = true
    var successor: TokenName?
    var registeredAt: Int64?
    var acceptedAt: Int64?
    /// Send times of the pushes refused with suspicion, as far as no later acceptance or registration speaks against them.
    var refusals: Set<Int64> = []
    var diedAt: Int64?
    var lifeAt: Int64
    var changedAt: Int64
    var expiresAt: Int64?
    private(set) var ledger: [Entry] = []

    /// - Parameter lifeAt: when it was registered or first named.
    init(state: State, cause: String?, topic: String, lifeAt: Int64, now: Int64) {
        self.state = state
        self.cause = cause
        self.topic = topic
        self.lifeAt = lifeAt
        changedAt = now
    }

    /// The breaker keeps it from being retired until somebody decides.
    var isHeld: Bool { state == .suspect && cause == "breaker" }

    mutating func write(_ entry: Entry) {
        var entry = entry
        entry.causeBefore = cause
        ledger.append(entry)
    }

    /// Goes over to a state, and says so.
    mutating func turn(
        to new: State, by rule: String, at now: Int64, because cause: String? = nil,
        _ evidence: (inout Entry) -> Void = { _ in }
    ) {
        var entry = Entry(at: now, rule: rule, from: state, to: new)
        evidence(&entry)
        write(entry)
        if new != state { changedAt = now }
        state = new
        self.cause = new == .active ? nil : cause ?? rule
    }

    /// What took place before an instant, as far as it was written before another.
    func ledger(before instant: Int64, knownAt: Int64) -> some BidirectionalCollection<Entry> {
        ledger.prefix { $0.at < knownAt && $0.happenedAt < instant }
    }

    /// What a release or restoration to active takes back.
    mutating func forgetAnswers() {
        refusals = []
        diedAt = nil
    }
}
