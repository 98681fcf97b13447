internal import DeliveryModel
internal import PostgresClient

/// What the rules made of one token and the answers about it.
struct TokenJudgement {
    let breaker: BreakerKey
    let before: Token
    let after: Token
    let evidence: [TokenEvidence]
    let transitions: [TokenTransition]

    /// Nil when nothing has to be written.
    ///
    /// - Parameter held: what the breaker has counted when it lets this token not retire; nil when it may.
    init?(
        of token: Token, behind breaker: BreakerKey, after evidence: [TokenEvidence], now: Instant,
        held: BreakerCounts? = nil
    ) {
        let inOrder = evidence.sorted { $0.sentAt < $1.sentAt }
        let isHeld = held != nil
        var current = token
        var transitions: [TokenTransition] = []
        for answer in inOrder {
            if let change = TokenRules.change(of: current, after: answer, isHeld: isHeld) {
                var seen = LedgerEvidence(answer, about: current)
                if change.rule == .breaker { seen.breaker = held }
                transitions.append(
                    TokenTransition(
                        appID: breaker.appID, tokenID: token.tokenID, from: current.state, change: change,
                        evidence: seen))
            }
            current = TokenRules.token(current, after: answer, now: now, isHeld: isHeld)
        }
        guard current != token || !transitions.isEmpty else { return nil }
        self.breaker = breaker
        self.before = token
        self.after = current
        self.evidence = inOrder
        self.transitions = transitions
    }

    /// What the breaker counts.
    var retires: Bool { before.state != .retired && after.state == .retired }

    func judgedAgain(_ token: Token, now: Instant, held: BreakerCounts? = nil) -> TokenJudgement? {
        TokenJudgement(of: token, behind: breaker, after: evidence, now: now, held: held)
    }
}

extension [TokenJudgement] {
    /// The first parameter of `change_tokens.sql`.
    var parameter: PostgresParameter {
        .rows(PostgresRowType("landfall.token_change"), self) { judgement, row in
            let (before, after) = (judgement.before, judgement.after)
            row.append(before.tokenID)
            row.append(before.state.rawValue)
            row.append(before.lastRegisteredAt)
            row.append(before.lastAcceptedAt)
            row.append(before.firstRefusedAt)
            row.append(before.lastRefusedAt)
            row.append(before.diedAt)
            row.append(after.state.rawValue)
            row.append(after.cause?.rawValue)
            row.append(after.lastAcceptedAt)
            row.append(after.firstRefusedAt)
            row.append(after.lastRefusedAt)
            row.append(after.diedAt)
        }
    }
}
