/// The expected result of a token history: the rules of docs/tokens.md and the decisions, applied to one
/// token after the other.
///
/// It shares no code with the product. Times are milliseconds since 1970.
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

    /// The place for the current tokens of a phone for a kind, environment and topic.
    struct Slot: Hashable {
        let phone: Int
        let kind: String
        let environment: String
        let topic: String
    }

    let history: TokenHistory
    /// The order in which tokens became known; tokens are judged in this order if it matters.
    let order: [TokenName: Int]

    var tokens: [TokenName: ReferenceToken] = [:]
    var phones: [Int: Phone] = [:]
    var slots: [Slot: Set<TokenName>] = [:]
    /// Registered tokens whose value was accepted in the other environment.
    var acceptedElsewhere: Set<TokenName> = []
    var said: [Int: ReferencePush] = [:]
    var breakers: [ReferenceBreaker.Place: ReferenceBreaker] = [:]
    var ears = ReferenceEars()
    /// The result of each step, as its caller gets it.
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

    var names: [TokenName] { tokens.keys.sorted { order[$0, default: 0] < order[$1, default: 0] } }

    func names(of phone: Int) -> [TokenName] { names.filter { tokens[$0]?.owner == phone } }

    /// The token that a response under this name is about: a value that a phone registered in the other
    /// environment is that token.
    func target(_ name: TokenName) -> TokenName {
        if let token = tokens[name], token.cause != "merged" { return name }
        return tokens.first { $0.key.value == name.value && $0.value.registeredAt != nil }?.key ?? name
    }

    func kind(_ name: TokenName) -> String { history.values[name.value].kind }

    /// An installation id of FCM takes the place of a registration token.
    func slotKind(_ name: TokenName) -> String { kind(name) == "fid" ? "fcm" : kind(name) }

    func includes(_ scope: TokenScope, _ name: TokenName) -> Bool {
        (scope.environment ?? name.environment) == name.environment
            && (scope.topic ?? tokens[name]?.topic) == tokens[name]?.topic
    }

    /// Makes stale tokens that are heard from active again.
    mutating func wake(_ names: some Sequence<TokenName>, now: Int64) {
        for name in names where tokens[name]?.state == .stale {
            tokens[name]?.turn(to: .active, by: "sign_of_life", at: now)
        }
    }
}

/// The time for which an account was signed in, or a permission held.
struct ReferencePeriod: Sendable {
    let word: String
    let from: Int64
    /// `nil` while it lasts.
    var to: Int64?

    var text: String { [word, "\(from)", to.map { "\($0)" }].compactMap { $0 }.joined(separator: " ") }
}

extension [ReferencePeriod] {
    /// Ends the current period and begins one with this word; with an empty word, only ends it.
    ///
    /// - Parameter isAlone: at most one period begins at an instant, with any word.
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

/// The instant at which the app's devices were last heard from. Each listener notes it at most once a minute.
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
