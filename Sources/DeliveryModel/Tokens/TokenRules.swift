/// The rules of a token's life, each a pure function. The caller passes the time.
public enum TokenRules {
    /// Two rejections at least this far apart are not a single disturbance.
    static let rejectionsApart = Span.hours(1)
    /// Acceptances and signs of life are written at most this often, to limit updates of hot rows.
    public static let writeInterval = Span.days(1)
    /// Responses posted later than this after the push come in any order, so their exact times are written.
    static let lateness = Span.hours(1)
    /// A 410 from before the registration is ignored for fewer pushes than this, or for less than this time.
    static let leastIgnored: Int64 = 5
    static let ignoredFor = Span.days(7)

    /// The change of state that a response causes for its token; `nil` if there is none for the ledger.
    ///
    /// Only the verdict counts, never the words: an unlisted reason has the verdict `keep`. The rules compare
    /// the times at which the pushes were sent, not the order in which their responses were posted.
    ///
    /// - Parameter isHeld: whether the breaker lets no more tokens retire; this one becomes suspect instead.
    public static func change(
        of token: Token, after evidence: TokenEvidence, isHeld: Bool = false
    ) -> TokenChange? {
        let change =
            switch evidence.outcome.tokenVerdict {
            case .keep:
                evidence.outcome.outcomeClass == .accepted
                    ? changeAfterAcceptance(of: token, evidence) ?? proof(of: token) : nil
            case .suspect:
                changeAfterSuspicion(of: token, evidence)
            case .invalidate, .invalidateIfNotReregistered:
                changeAfterDeath(of: token, evidence)
            }
        guard isHeld, change?.to == .retired, token.state != .retired else { return change }
        return token.isHeld ? nil : TokenChange(to: .suspect, rule: .breaker)
    }

    /// A provider's acceptance of a push vouches for its token, unless the token is known to be dead: APNs
    /// continues to respond with 200 for a while after an app was removed.
    private static func changeAfterAcceptance(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        let isBehindRejection = token.lastRejectedAt.map { evidence.sentAt <= $0 } ?? false
        switch token.state {
        case .suspect
        where !isBehindRejection && !(token.cause == .accepted && isBehindDeath(evidence, of: token)):
            return TokenChange(to: .active, rule: .accepted)
        case .retired where token.wasRetiredBySuspicion:
            // It was retired because no push was ever accepted for it, but now one was.
            return TokenChange(to: isBehindRejection ? .suspect : .active, rule: .accepted)
        case .retired where token.wasRetiredByResponses && mayComeBack(evidence) && !isBehindRejection:
            // The first acceptance raises a doubt about the death, the next one decides.
            return isBehindDeath(evidence, of: token) ? nil : TokenChange(to: .suspect, rule: .accepted)
        default:
            return nil
        }
    }

    /// The first acceptance proves a token: from then on, feeds contain it.
    private static func proof(of token: Token) -> TokenChange? {
        token.isUnproven ? TokenChange(to: token.state, rule: .accepted) : nil
    }

    /// Whether acceptances can contradict a death. APNs, FCM and push services of browsers keep accepting
    /// pushes to dead tokens, and apps register with them at each launch. Others have called working tokens
    /// dead for a day, and most apps do not register their tokens.
    private static func mayComeBack(_ evidence: TokenEvidence) -> Bool {
        !["apns", "fcm", "webpush"].contains(TokenKind.issuer(ofTokensOf: evidence.provider))
    }

    private static func isBehindDeath(_ evidence: TokenEvidence, of token: Token) -> Bool {
        token.diedAt.map { evidence.sentAt <= $0 } ?? false
    }

    /// BadDeviceToken means malformed, or the other environment: one configuration mistake marks every token
    /// with it. A token is therefore suspected first. It is retired only if no push was ever accepted for it,
    /// it was rejected at least twice an hour apart, and the environment is not known to be the cause.
    private static func changeAfterSuspicion(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        guard !isOutdatedRejection(evidence, of: token) else { return nil }
        switch token.state {
        case .retired: return nil
        case .active, .stale: return TokenChange(to: .suspect, rule: .badToken)
        case .suspect:
            let first = min(token.firstRejectedAt ?? evidence.sentAt, evidence.sentAt)
            let last = max(token.lastRejectedAt ?? evidence.sentAt, evidence.sentAt)
            guard token.lastAcceptedAt == nil, evidence.environmentVerdict(on: token) != .wrongEnvironment,
                last - first >= rejectionsApart
            else { return nil }
            return TokenChange(to: .retired, rule: .badToken)
        }
    }

    /// A late "Unregistered" must not retire a token that the app has registered again since.
    private static func changeAfterDeath(of token: Token, _ evidence: TokenEvidence) -> TokenChange? {
        guard token.state != .retired else { return nil }
        guard !isBeforeRegistration(evidence, of: token) else {
            let isRepeated = [.active, .stale].contains(token.state) && isRepeated(evidence, for: token)
            return isRepeated
                ? TokenChange(to: .suspect, rule: .late410Repeated)
                : TokenChange(to: token.state, rule: .late410Ignored)
        }
        return TokenChange(to: .retired, rule: .unregistered)
    }

    /// Whether a death was before the current registration. APNs states its time in `timestamp`; if a
    /// provider does not, the time the push was sent is used. In either case, a push sent before the
    /// registration says nothing about it.
    private static func isBeforeRegistration(_ evidence: TokenEvidence, of token: Token) -> Bool {
        guard let registeredAt = token.lastRegisteredAt else { return false }
        return min(evidence.diedAt, evidence.sentAt) < registeredAt
    }

    /// Apps register at each launch, while a provider may repeat when it first found the token dead. If it
    /// rejects every push that way, for a week, the registration proves only that the app holds the value.
    private static func isRepeated(_ evidence: TokenEvidence, for token: Token) -> Bool {
        guard contradictsRegistration(evidence, of: token) else { return false }
        let first = min(token.firstIgnoredAt ?? evidence.sentAt, evidence.sentAt)
        return token.ignoredCount + 1 >= leastIgnored && evidence.sentAt - first >= ignoredFor
    }

    /// Whether a death before the registration was reported for a push sent after it and every acceptance.
    private static func contradictsRegistration(_ evidence: TokenEvidence, of token: Token) -> Bool {
        guard let registeredAt = token.lastRegisteredAt, evidence.sentAt >= registeredAt else { return false }
        return token.lastAcceptedAt.map { evidence.sentAt > $0 } ?? true
    }

    /// Whether the push was sent before the last acceptance or registration. A final rejection corrects its
    /// own push's acceptance.
    private static func isOutdatedRejection(_ evidence: TokenEvidence, of token: Token) -> Bool {
        if let acceptedAt = token.lastAcceptedAt, evidence.sentAt <= acceptedAt {
            guard evidence.isFinal, evidence.sentAt == acceptedAt else { return true }
        }
        return token.lastRegisteredAt.map { evidence.sentAt < $0 } ?? false
    }

    /// The token after a response: its new state, and the times that later responses are compared with.
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
            noteRejection(evidence, on: &changed)
        case .invalidate, .invalidateIfNotReregistered:
            noteDeath(evidence, on: &changed, now: now)
        }
        return changed
    }

    /// Whether a response about a token causes anything to be written, a change or a time, when judged alone.
    public static func meansSomething(_ evidence: TokenEvidence, to token: Token, now: Instant) -> Bool {
        change(of: token, after: evidence) != nil || self.token(token, after: evidence, now: now) != token
    }

    private static func noteAcceptance(_ sentAt: Instant, on token: inout Token, now: Instant) {
        if isDue(sentAt, after: token.lastAcceptedAt, isLate: now - sentAt > lateness) {
            token.lastAcceptedAt = sentAt
        }
        token.isUnproven = false
        if token.state == .active { token.diedAt = nil }
        if let firstIgnoredAt = token.firstIgnoredAt, sentAt >= firstIgnoredAt {
            token.firstIgnoredAt = nil
            token.ignoredCount = 0
        }
        guard let lastRejectedAt = token.lastRejectedAt else { return }
        if sentAt > lastRejectedAt {
            token.firstRejectedAt = nil
            token.lastRejectedAt = nil
        } else if let first = token.firstRejectedAt, sentAt >= first {
            // It is unknown which rejections came after this acceptance, except the last one.
            token.firstRejectedAt = lastRejectedAt
        }
    }

    private static func noteRejection(_ evidence: TokenEvidence, on token: inout Token) {
        guard !isOutdatedRejection(evidence, of: token) else { return }
        remember(evidence.sentAt, on: &token)
    }

    private static func remember(_ rejectedAt: Instant, on token: inout Token) {
        token.firstRejectedAt = min(token.firstRejectedAt ?? rejectedAt, rejectedAt)
        token.lastRejectedAt = max(token.lastRejectedAt ?? rejectedAt, rejectedAt)
    }

    /// Remembered for registrations posted late: one made before the death revives nothing.
    private static func noteDeath(_ evidence: TokenEvidence, on token: inout Token, now: Instant) {
        guard !isBeforeRegistration(evidence, of: token) else {
            if token.state != .retired, contradictsRegistration(evidence, of: token) {
                token.firstIgnoredAt = min(token.firstIgnoredAt ?? evidence.sentAt, evidence.sentAt)
                token.ignoredCount += 1
            }
            return
        }
        if isDue(evidence.diedAt, after: token.diedAt, isLate: now - evidence.sentAt > lateness) {
            token.diedAt = evidence.diedAt
        }
        // Held back: only an acceptance of a later push vouches for it, whatever was accepted before.
        if token.isHeld { remember(evidence.sentAt, on: &token) }
    }

    /// Whether a time that only moves forward has to be written.
    private static func isDue(_ instant: Instant, after last: Instant?, isLate: Bool) -> Bool {
        guard let last else { return true }
        return instant - last >= (isLate ? Span(milliseconds: 1) : writeInterval)
    }
}

extension Token {
    /// Whether the breaker kept it from being retired, and the decision is pending.
    public var isHeld: Bool { state == .suspect && cause == .breaker }

    /// Whether responses retired it, and not its app or an operator.
    fileprivate var wasRetiredByResponses: Bool {
        cause == .unregistered || cause == .badToken || cause == .confirmed
    }

    /// Whether it was retired because it was rejected repeatedly, although no provider said that it died.
    fileprivate var wasRetiredBySuspicion: Bool {
        (cause == .badToken || cause == .confirmed) && diedAt == nil
    }
}
