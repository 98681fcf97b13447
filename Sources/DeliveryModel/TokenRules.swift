/// The rules of a token's life, each a pure function. They never ask for the time: whoever calls them knows it.
public enum TokenRules {
    /// Two refusals this far apart are not one hiccup.
    static let refusalsApart = Span.hours(1)
    /// Acceptances and signs of life are written at most this often, so that ingestion does not become updates of hot rows.
    public static let writeInterval = Span.days(1)
    /// Answers posted later than this after the push may come in any order, so their acceptances are written exactly.
    static let lateness = Span.hours(1)

    /// What an answer does to the state of the token it was sent to; nil when nothing is worth a row in the ledger.
    ///
    /// Only the verdict counts, never the words: a reason that no list knows has the verdict `keep`. The rules go by the
    /// times at which the pushes were sent, not by the order in which their answers were posted.
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
        let isBehindRefusal = token.lastRefusedAt.map { evidence.sentAt <= $0 } ?? false
        switch token.state {
        case .suspect where !isBehindRefusal:
            return TokenChange(to: .active, rule: .accepted)
        case .retired where token.cause == .badToken:
            // It was retired because no push was ever accepted for it. One was.
            return TokenChange(to: isBehindRefusal ? .suspect : .active, rule: .accepted)
        default:
            return nil
        }
    }

    /// BadDeviceToken means malformed, or the other environment: one slip in a configuration marks every token so. A token
    /// is therefore suspected first, and retired only when no push was ever accepted for it, it was refused at least twice
    /// an hour apart, and the other environment does not know it.
    private static func changeAfterSuspicion(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        if let lastAcceptedAt = token.lastAcceptedAt, evidence.sentAt <= lastAcceptedAt { return nil }
        switch token.state {
        case .retired: return nil
        case .active, .stale: return TokenChange(to: .suspect, rule: .badToken)
        case .suspect:
            let first = min(token.firstRefusedAt ?? evidence.sentAt, evidence.sentAt)
            let last = max(token.lastRefusedAt ?? evidence.sentAt, evidence.sentAt)
            guard token.lastAcceptedAt == nil, !evidence.isKnownInOtherEnvironment,
                last - first >= refusalsApart
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
    public static func token(_ token: Token, after evidence: TokenEvidence, now: Instant) -> Token {
        var changed = token
        if let change = change(of: token, after: evidence), change.to != token.state {
            changed.state = change.to
            changed.cause = change.to == .active ? nil : change.rule
        }
        switch evidence.outcome.tokenVerdict {
        case .keep where evidence.outcome.outcomeClass == .accepted:
            noteAcceptance(evidence.sentAt, on: &changed, now: now)
        case .suspect:
            noteRefusal(evidence.sentAt, on: &changed)
        default:
            break
        }
        return changed
    }

    /// False when an answer about a token, alone, leaves nothing to write: neither a change nor a time.
    public static func meansSomething(_ evidence: TokenEvidence, to token: Token, now: Instant) -> Bool {
        change(of: token, after: evidence) != nil || self.token(token, after: evidence, now: now) != token
    }

    private static func noteAcceptance(_ sentAt: Instant, on token: inout Token, now: Instant) {
        let isLate = now - sentAt > lateness
        if let last = token.lastAcceptedAt {
            let isDue = sentAt - last >= (isLate ? Span(milliseconds: 1) : writeInterval)
            if isDue { token.lastAcceptedAt = sentAt }
        } else {
            token.lastAcceptedAt = sentAt
        }
        guard let lastRefusedAt = token.lastRefusedAt else { return }
        if sentAt > lastRefusedAt {
            token.firstRefusedAt = nil
            token.lastRefusedAt = nil
        } else if let first = token.firstRefusedAt, sentAt >= first {
            // Which refusals lie behind this acceptance is not known; the last one does.
            token.firstRefusedAt = lastRefusedAt
        }
    }

    private static func noteRefusal(_ sentAt: Instant, on token: inout Token) {
        if let lastAcceptedAt = token.lastAcceptedAt, sentAt <= lastAcceptedAt { return }
        token.firstRefusedAt = min(token.firstRefusedAt ?? sentAt, sentAt)
        token.lastRefusedAt = max(token.lastRefusedAt ?? sentAt, sentAt)
    }
}
