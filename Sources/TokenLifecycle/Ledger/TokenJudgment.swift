public import DeliveryModel
internal import PostgresClient

/// The rules' judgment of one token by the responses about it.
struct TokenJudgment {
    let breaker: BreakerKey
    let before: Token
    let after: Token
    let evidence: [TokenEvidence]
    let transitions: [TokenTransition]

    /// Returns `nil` if there is nothing to write.
    ///
    /// - Parameter held: the breaker's counts if it does not allow this token to retire; `nil` if it does.
    init?(
        of token: Token, guardedBy breaker: BreakerKey, after evidence: [TokenEvidence], now: Instant,
        held: BreakerCounts? = nil
    ) {
        let inOrder = evidence.sorted { $0.sentAt < $1.sentAt }
        let isHeld = held != nil
        var current = token
        var transitions: [TokenTransition] = []
        for response in inOrder {
            if let change = TokenRules.change(of: current, after: response, isHeld: isHeld) {
                var seen = LedgerEvidence(response, about: current)
                if change.rule == .breaker { seen.breaker = held }
                transitions.append(
                    TokenTransition(
                        appID: breaker.appID, tokenID: token.tokenID, from: current.state, change: change,
                        evidence: seen))
            }
            current = TokenRules.token(current, after: response, now: now, isHeld: isHeld)
        }
        guard current != token || !transitions.isEmpty else { return nil }
        self.breaker = breaker
        self.before = token
        self.after = current
        self.evidence = inOrder
        self.transitions = transitions
    }

    var retires: Bool { before.state != .retired && after.state == .retired }

    /// Whether the token retires or becomes suspect.
    var takesOutOfUse: Bool {
        retires || [.active, .stale].contains(before.state) && after.state == .suspect
    }

    func counts(at now: Instant) -> Bool {
        before.countsForBreaker(evidence.lazy.map(\.sentAt), now: now)
    }

    func judgedAgain(_ token: Token, now: Instant, held: BreakerCounts? = nil) -> TokenJudgment? {
        TokenJudgment(of: token, guardedBy: breaker, after: evidence, now: now, held: held)
    }
}

extension Token {
    /// Whether a breaker counts the token for responses to these pushes: one of them is recent, and a push
    /// was accepted for it before, or a server or an import vouches for it. Otherwise it may be invented,
    /// because the device key is public.
    func countsForBreaker(_ sentAt: some Sequence<Instant>, now: Instant) -> Bool {
        (lastAcceptedAt != nil || isVouched) && sentAt.contains { $0 > now - BreakerRules.latestPushes }
    }
}

extension [TokenJudgment] {
    /// The first parameter of `change_tokens`.
    var parameter: PostgresParameter {
        .rows(PostgresRowType("landfall.token_change"), self) { judgment, row in
            let (before, after) = (judgment.before, judgment.after)
            row.append(before.tokenID)
            row.append(before.state.rawValue)
            row.append(before.lastRegisteredAt)
            row.append(before.lastAcceptedAt)
            row.append(before.firstRejectedAt)
            row.append(before.lastRejectedAt)
            row.append(before.diedAt)
            row.append(before.ignoredCount)
            row.append(after.state.rawValue)
            row.append(after.cause?.rawValue)
            row.append(after.lastAcceptedAt)
            row.append(after.firstRejectedAt)
            row.append(after.lastRejectedAt)
            row.append(after.diedAt)
            row.append(after.firstIgnoredAt)
            row.append(after.ignoredCount)
        }
    }
}

/// One response about one token.
public struct TokenResponse: Sendable {
    public var appID: Int64
    public var token: Token
    public var evidence: TokenEvidence
    /// This and `topic` are the token's; they determine the breaker.
    public var environment: Environment
    public var topic: String
    /// The place that the response names, if it differs from the token's.
    public var otherPlace: TokenPlace?
    /// Whether the response is about the token. Otherwise, it is kept with the token and does not change it.
    public var isMeant = true

    public init(
        appID: Int64, token: Token, evidence: TokenEvidence, environment: Environment = .production,
        topic: String = ""
    ) {
        self.appID = appID
        self.token = token
        self.evidence = evidence
        self.environment = environment
        self.topic = topic
    }

    var breaker: BreakerKey { BreakerKey(appID: appID, environment: environment, topic: topic) }
}

/// One row of the ledger, to be written.
struct TokenTransition: Sendable {
    let appID: Int64
    let tokenID: Int64
    /// `nil` if the token was not known before.
    let from: TokenState?
    let change: TokenChange
    let evidence: LedgerEvidence
}

extension PostgresConnection {
    func record(_ transitions: [TokenTransition], now: Instant) throws {
        guard !transitions.isEmpty else { return }
        try query(
            .Tokens.recordTransitions,
            [
                .array(transitions.map(\.appID)), .array(transitions.map(\.tokenID)),
                .nullableArray(transitions.map { $0.from?.rawValue }),
                .array(transitions.map(\.change.to.rawValue)),
                .array(transitions.map(\.change.rule.rawValue)),
                .array(try transitions.map { try $0.evidence.json() }), .value(now),
            ])
    }

    func enqueue(_ file: SQLFile, _ parameters: [PostgresParameter]) {
        enqueue(PostgresStatement(file, parameters))
    }
}

extension PostgresRow {
    /// The index of what the row is about in the arrays of the query: the column `position` counts from 1.
    var askedIndex: Int {
        get throws(PostgresError) { Int(try get("position", as: Int64.self)) - 1 }
    }
}
