internal import DeliveryModel
internal import Instants
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
    /// Whether a breaker counts the token for responses to these pushes: one of them is recent, and a push was accepted for it before,
    /// or a server or an import vouches for it. Otherwise it may be invented, because the device key is public.
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
