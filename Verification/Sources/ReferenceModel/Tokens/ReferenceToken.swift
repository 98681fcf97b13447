/// A token by the definitions: the schema's comment on each column, and its rows of the ledger.
struct ReferenceToken: Sendable {
    enum State: String, CaseIterable, Sendable {
        /// In order, the best state first.
        case active, suspect, stale, retired
    }

    /// A row of the ledger.
    struct Entry: Sendable {
        let at: Int64
        let rule: String
        /// `nil` if the token was not known before.
        let from: State?
        let to: State
        /// The cause before the transition, which a restoration brings back.
        var causeBefore: String?
        var isOfRun = false
        var sentAt: Int64?
        var invalidSince: Int64?
        /// The last registration, as the rule saw it.
        var registeredAt: Int64?
        var environmentVerdict: String?
        var undoneRule: String?
        /// The phone that has the token from now on, if the transition says so.
        var taker: Int?

        var changesState: Bool { from != to }

        /// The instant at which the event took place: the registration, or the sending of the push. For a
        /// transition that the service decides by itself, the time of the decision.
        var happenedAt: Int64 {
            let isRegistration = [
                "registered", "revived", "transferred", "rotated", "provider_migration",
            ].contains(rule)
            return min(at, (isRegistration ? registeredAt : sentAt) ?? at)
        }
    }

    private(set) var state: State
    private(set) var cause: String?
    /// The phone that registered it last.
    var owner: Int?
    var topic: String
    var hasValue = true
    var successor: TokenName?
    var registeredAt: Int64?
    var acceptedAt: Int64?
    /// Send times of the pushes rejected as suspicious that no later acceptance or registration contradicts.
    var rejections: Set<Int64> = []
    var diedAt: Int64?
    var lifeAt: Int64
    var changedAt: Int64
    var expiresAt: Int64?
    /// When its phone last registered it although another value had replaced it.
    var returnedAt: Int64?
    /// Send times of pushes after the registration, since the last acceptance, whose death was ignored as
    /// older.
    var ignored: [Int64] = []
    private(set) var ledger: [Entry] = []

    /// - Parameter lifeAt: when the token was registered or first named.
    init(state: State, cause: String?, topic: String, lifeAt: Int64, now: Int64) {
        self.state = state
        self.cause = cause
        self.topic = topic
        self.lifeAt = lifeAt
        changedAt = now
    }

    /// Whether the breaker prevents its retirement until an operator decides.
    var isHeld: Bool { state == .suspect && cause == "breaker" }

    mutating func write(_ entry: Entry) {
        var entry = entry
        entry.causeBefore = cause
        ledger.append(entry)
    }

    /// Changes the state and writes a row of the ledger.
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

    /// The transitions that took place before an instant and were written before another.
    func ledger(before instant: Int64, knownAt: Int64) -> some BidirectionalCollection<Entry> {
        ledger.prefix { $0.at < knownAt && $0.happenedAt < instant }
    }

    /// Removes the evidence that a release or a restoration to active overrides.
    mutating func forgetResponses() {
        rejections = []
        diedAt = nil
    }
}
