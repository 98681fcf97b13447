/// What must come of a token history: the rules as docs/tokens.md and the decisions tell them, one token after the other.
///
/// Shares no code with the product. Times are milliseconds since 1970.
struct TokenReference {
    static let minute: Int64 = 60_000
    static let hour = 60 * minute
    static let day = 24 * hour

    struct Phone {
        var registeredAt: Int64
        var lifeAt: Int64
        var permission = ""
        var appVersion = ""
        var erasedAt: Int64?
        var accounts: [ReferencePeriod] = []
        var permissions: [ReferencePeriod] = []
    }

    /// The one current token of a phone for a kind, environment and topic.
    struct Slot: Hashable {
        let phone: Int
        let kind: String
        let environment: String
        let topic: String
    }

    let history: TokenHistory
    /// In which order tokens are judged where that matters: that in which they became known.
    let order: [TokenName: Int]

    var tokens: [TokenName: ReferenceToken] = [:]
    var phones: [Int: Phone] = [:]
    var slots: [Slot: TokenName] = [:]
    var said: [Int: ReferencePush] = [:]
    var breakers: [ReferenceBreaker.Place: ReferenceBreaker] = [:]
    var ears = ReferenceEars()
    /// What each step answers to whoever does it.
    private(set) var outcomes: [String] = []

    init(_ history: TokenHistory, order: [TokenName: Int]) {
        self.history = history
        self.order = order
        for step in history.steps {
            let outcome = outcome(of: step.deed, now: history.clock.instants[step.tick])
            outcomes.append(outcome)
        }
    }

    private mutating func outcome(of deed: TokenDeed, now: Int64) -> String {
        switch deed {
        case .register(let registration): register(registration, now: now)
        case .post(let items): post(items, now: now)
        case .logOut(let phone): logOut(phone, now: now)
        case .erase(let phone): erase(phone, now: now)
        case .sweep(let maxShare): sweep(maxShare, now: now)
        case .decide(let isRelease, let scope): decide(isRelease, scope, now: now)
        case .restore(let rule, let since, let scope): restore(rule, since, scope, now: now)
        }
    }

    /// In the order in which they became known.
    var names: [TokenName] { tokens.keys.sorted { order[$0, default: 0] < order[$1, default: 0] } }

    func names(of phone: Int) -> [TokenName] { names.filter { tokens[$0]?.owner == phone } }

    func kind(_ name: TokenName) -> String { history.values[name.value].kind }

    func includes(_ scope: TokenScope, _ name: TokenName) -> Bool {
        (scope.environment ?? name.environment) == name.environment
            && (scope.topic ?? tokens[name]?.topic) == tokens[name]?.topic
    }

    /// Stale tokens that are heard from are active again.
    mutating func wake(_ names: some Sequence<TokenName>, now: Int64) {
        for name in names where tokens[name]?.state == .stale {
            tokens[name]?.turn(to: .active, by: "sign_of_life", at: now)
        }
    }
}

/// How long an account was signed in, or a permission held.
struct ReferencePeriod: Sendable {
    let word: String
    let from: Int64
    /// Nil while it lasts.
    var to: Int64?

    var text: String { [word, "\(from)", to.map { "\($0)" }].compactMap { $0 }.joined(separator: " ") }
}

extension [ReferencePeriod] {
    /// From then on it is this word; empty for none.
    ///
    /// - Parameter isAlone: at most one period begins at an instant, whatever its word.
    mutating func go(over word: String, at instant: Int64, isAlone: Bool = false) {
        for index in indices where self[index].word != word && self[index].to == nil {
            self[index].to = instant
        }
        guard !word.isEmpty, !contains(where: { $0.to == nil }) else { return }
        removeAll { $0.from == instant && (isAlone || $0.word == word) }
        append(ReferencePeriod(word: word, from: instant))
    }

    var text: String {
        sorted { ($0.from, $0.word) < ($1.from, $1.word) }.map(\.text).joined(separator: ", ")
    }
}

/// When the app's devices were last heard from, noted at most once a minute by each who listens.
struct ReferenceEars {
    enum Listener {
        case registry, writer
    }

    private(set) var heardAt: Int64?
    private var noted: [Listener: Int64] = [:]

    mutating func hear(_ listener: Listener, at instant: Int64) {
        if let last = noted[listener], instant - last < TokenReference.minute { return }
        noted[listener] = instant
        heardAt = max(heardAt ?? instant, instant)
    }
}
