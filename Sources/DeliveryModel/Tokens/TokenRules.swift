/// The rules of a token's life, each a pure function. They never ask for the time: whoever calls them knows it.
public enum TokenRules {
    /// Two refusals this far apart are not one hiccup.
    static let refusalsApart = Span.hours(1)
    /// Acceptances and signs of life are written at most this often, so that ingestion does not become updates of hot rows.
    public static let writeInterval = Span.days(1)
    /// Answers posted later than this after the push may come in any order, so their times are written exactly.
    static let lateness = Span.hours(1)

    /// What an answer does to the state of the token it was sent to; nil when nothing is worth a row in the ledger.
    ///
    /// Only the verdict counts, never the words: a reason that no list knows has the verdict `keep`. The rules go by the
    /// times at which the pushes were sent, not by the order in which their answers were posted.
    ///
    /// - Parameter isHeld: the breaker lets no more tokens retire: this one becomes suspect instead.
    public static func change(
        of token: Token, after evidence: TokenEvidence, isHeld: Bool = false
    ) -> TokenChange? {
        let change =
            switch evidence.outcome.tokenVerdict {
            case .keep:
                evidence.outcome.outcomeClass == .accepted ? changeAfterAcceptance(of: token, evidence) : nil
            case .suspect:
                changeAfterSuspicion(of: token, evidence)
            case .invalidate, .invalidateIfNotReregistered:
                changeAfterDeath(of: token, evidence)
            }
        guard isHeld, change?.to == .retired else { return change }
        return token.isHeld ? nil : TokenChange(to: .suspect, rule: .breaker)
    }

    /// A provider that accepts a push for a token vouches for it, but not for one that is known to be dead: APNs goes on
    /// answering 200 for a while after an app was removed.
    private static func changeAfterAcceptance(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        let isBehindRefusal = token.lastRefusedAt.map { evidence.sentAt <= $0 } ?? false
        switch token.state {
        case .suspect where !isBehindRefusal:
            return TokenChange(to: .active, rule: .accepted)
        case .retired where token.wasRetiredBySuspicion:
            // It was retired because no push was ever accepted for it. One was.
            return TokenChange(to: isBehindRefusal ? .suspect : .active, rule: .accepted)
        default:
            return nil
        }
    }

    /// BadDeviceToken means malformed, or the other environment: one slip in a configuration marks every token so. A token
    /// is therefore suspected first, and retired only when no push was ever accepted for it, it was refused at least twice
    /// an hour apart, and nothing says that the environment is what is wrong.
    private static func changeAfterSuspicion(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        guard !isOutdatedRefusal(evidence, of: token) else { return nil }
        switch token.state {
        case .retired: return nil
        case .active, .stale: return TokenChange(to: .suspect, rule: .badToken)
        case .suspect:
            let first = min(token.firstRefusedAt ?? evidence.sentAt, evidence.sentAt)
            let last = max(token.lastRefusedAt ?? evidence.sentAt, evidence.sentAt)
            guard token.lastAcceptedAt == nil, evidence.environmentVerdict(on: token) != .wrongEnvironment,
                last - first >= refusalsApart
            else { return nil }
            return TokenChange(to: .retired, rule: .badToken)
        }
    }

    /// A late "Unregistered" must not retire a token the app registered again since.
    private static func changeAfterDeath(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        guard token.state != .retired else { return nil }
        guard !isBeforeRegistration(evidence, of: token) else {
            return TokenChange(to: token.state, rule: .late410Ignored)
        }
        return TokenChange(to: .retired, rule: .unregistered)
    }

    /// Whether a death lies before the registration that holds now. APNs says when by its `timestamp`; where a provider does
    /// not, the time the push was sent stands in. A push sent before the registration is no answer about it either way.
    private static func isBeforeRegistration(_ evidence: TokenEvidence, of token: Token) -> Bool {
        guard let registeredAt = token.lastRegisteredAt else { return false }
        return min(evidence.diedAt, evidence.sentAt) < registeredAt
    }

    /// Whether the push was sent before the token was accepted, or registered, for the last time. A final rejection corrects the
    /// acceptance of its own push.
    private static func isOutdatedRefusal(_ evidence: TokenEvidence, of token: Token) -> Bool {
        if let acceptedAt = token.lastAcceptedAt, evidence.sentAt < acceptedAt { return true }
        if let acceptedAt = token.lastAcceptedAt, evidence.sentAt == acceptedAt, !evidence.isFinal {
            return true
        }
        if let registeredAt = token.lastRegisteredAt, evidence.sentAt < registeredAt { return true }
        return false
    }

    /// The token after an answer: its new state, and the times that later answers are compared with.
    public static func token(
        _ token: Token, after evidence: TokenEvidence, now: Instant, isHeld: Bool = false
    ) -> Token {
        var changed = token
        if let change = change(of: token, after: evidence, isHeld: isHeld),
            change.to != token.state || change.rule == .breaker
        {
            changed.state = change.to
            changed.cause = change.to == .active ? nil : change.rule
        }
        switch evidence.outcome.tokenVerdict {
        case .keep where evidence.outcome.outcomeClass == .accepted:
            noteAcceptance(evidence.sentAt, on: &changed, now: now)
        case .keep:
            break
        case .suspect:
            noteRefusal(evidence, on: &changed)
        case .invalidate, .invalidateIfNotReregistered:
            noteDeath(evidence, on: &changed, now: now)
        }
        return changed
    }

    /// False when an answer about a token, alone, leaves nothing to write: neither a change nor a time.
    public static func meansSomething(_ evidence: TokenEvidence, to token: Token, now: Instant) -> Bool {
        change(of: token, after: evidence) != nil || self.token(token, after: evidence, now: now) != token
    }

    private static func noteAcceptance(_ sentAt: Instant, on token: inout Token, now: Instant) {
        if isDue(sentAt, after: token.lastAcceptedAt, isLate: now - sentAt > lateness) {
            token.lastAcceptedAt = sentAt
        }
        if token.state == .active { token.diedAt = nil }
        guard let lastRefusedAt = token.lastRefusedAt else { return }
        if sentAt > lastRefusedAt {
            token.firstRefusedAt = nil
            token.lastRefusedAt = nil
        } else if let first = token.firstRefusedAt, sentAt >= first {
            // Which refusals lie behind this acceptance is not known; the last one does.
            token.firstRefusedAt = lastRefusedAt
        }
    }

    private static func noteRefusal(_ evidence: TokenEvidence, on token: inout Token) {
        guard !isOutdatedRefusal(evidence, of: token) else { return }
        remember(evidence.sentAt, on: &token)
    }

    private static func remember(_ refusedAt: Instant, on token: inout Token) {
        token.firstRefusedAt = min(token.firstRefusedAt ?? refusedAt, refusedAt)
        token.lastRefusedAt = max(token.lastRefusedAt ?? refusedAt, refusedAt)
    }

    /// Remembered for registrations that are told later than they were made: one from before the death revives nothing.
    private static func noteDeath(_ evidence: TokenEvidence, on token: inout Token, now: Instant) {
        guard !isBeforeRegistration(evidence, of: token) else { return }
        if isDue(evidence.diedAt, after: token.diedAt, isLate: now - evidence.sentAt > lateness) {
            token.diedAt = evidence.diedAt
        }
        // Held back: only an acceptance of a later push vouches for it, whatever was accepted before.
        if token.isHeld { remember(evidence.sentAt, on: &token) }
    }

    /// Whether a time that moves forward only has to be written.
    private static func isDue(_ instant: Instant, after last: Instant?, isLate: Bool) -> Bool {
        guard let last else { return true }
        return instant - last >= (isLate ? Span(milliseconds: 1) : writeInterval)
    }
}

extension Token {
    /// The breaker kept it from being retired, and nobody has decided yet.
    public var isHeld: Bool { state == .suspect && cause == .breaker }

    /// Because it was refused again and again, and no provider has said that it died.
    fileprivate var wasRetiredBySuspicion: Bool {
        (cause == .badToken || cause == .confirmed) && diedAt == nil
    }
}
