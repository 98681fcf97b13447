/// The rules of a token's life, each a pure function. They never ask for the time: whoever calls them knows it.
public enum TokenRules {
    /// Two refusals this far apart are not one hiccup.
    static let refusalsApart = Span.hours(1)
    /// Acceptances and signs of life are written at most this often, so that ingestion does not become updates of hot rows.
    public static let writeInterval = Span.days(1)

    /// What an answer does to the state of the token it was sent to; nil when nothing is worth a row in the ledger.
    ///
    /// Only the verdict counts, never the words: a reason that no list knows has the verdict `keep`.
    public static func change(of token: Token, after evidence: TokenEvidence) -> TokenChange? {
        switch evidence.outcome.tokenVerdict {
        case .keep:
            evidence.outcome.outcomeClass == .accepted ? changeAfterAcceptance(of: token, evidence) : nil
        case .suspect:
            changeAfterSuspicion(of: token, evidence)
        case .invalidate, .invalidateIfNotReregistered:
            changeAfterDeath(of: token, evidence)
        }
    }

    /// A provider that accepts a push for a token vouches for it, but not for one that is known to be dead: APNs goes on
    /// answering 200 for a while after an app was removed.
    private static func changeAfterAcceptance(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        guard token.state == .suspect else { return nil }
        if let firstRefusedAt = token.firstRefusedAt, evidence.sentAt < firstRefusedAt { return nil }
        return TokenChange(to: .active, rule: .accepted)
    }

    /// BadDeviceToken means malformed, or the other environment: one slip in a configuration marks every token so. A token
    /// is therefore suspected first, and retired only when no push was ever accepted for it, it was refused at least twice
    /// an hour apart, and the other environment does not know it.
    private static func changeAfterSuspicion(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        switch token.state {
        case .retired: return nil
        case .active, .stale: return TokenChange(to: .suspect, rule: .badToken)
        case .suspect:
            guard token.lastAcceptedAt == nil, !evidence.isKnownInOtherEnvironment,
                let firstRefusedAt = token.firstRefusedAt,
                evidence.sentAt - firstRefusedAt >= refusalsApart
            else { return nil }
            return TokenChange(to: .retired, rule: .badToken)
        }
    }

    /// A late "Unregistered" must not retire a token the app registered again since. APNs says so by its `timestamp`; where
    /// a provider gives none, the time the push was sent stands in.
    private static func changeAfterDeath(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        guard token.state != .retired else { return nil }
        let diedAt = evidence.invalidSince ?? evidence.sentAt
        if let lastRegisteredAt = token.lastRegisteredAt, diedAt < lastRegisteredAt {
            return TokenChange(to: token.state, rule: .late410Ignored)
        }
        return TokenChange(to: .retired, rule: .unregistered)
    }

    /// The token after an answer: its new state, and the times that later answers are compared with.
    public static func token(_ token: Token, after evidence: TokenEvidence) -> Token {
        var token = token
        if let change = change(of: token, after: evidence) { token.state = change.to }
        switch evidence.outcome.tokenVerdict {
        case .keep where evidence.outcome.outcomeClass == .accepted:
            token.firstRefusedAt = nil
            token.lastAcceptedAt = acceptance(at: evidence.sentAt, since: token.lastAcceptedAt)
        case .suspect:
            token.firstRefusedAt = min(token.firstRefusedAt ?? evidence.sentAt, evidence.sentAt)
        default:
            break
        }
        return token
    }

    private static func acceptance(at sentAt: Instant, since last: Instant?) -> Instant? {
        guard let last else { return sentAt }
        return sentAt - last >= writeInterval ? sentAt : last
    }
}
