/// The rules of sweeps: when silence makes a token stale, when staleness retires it, and when none may run.
public struct SweepRules: Hashable, Sendable {
    /// Tokens silent for this many days become stale; never less than ``leastStaleAfterDays``.
    public var staleAfterDays: Int64 = 60 {
        didSet { staleAfterDays = max(staleAfterDays, Self.leastStaleAfterDays) }
    }
    /// Tokens stale for this many days retire.
    public var sweepAfterDays: Int64 = 30
    /// A sweep that would cost a greater share of the audience or of the tokens is refused.
    public var maxShare = 0.10

    /// If no device at all was heard from for this long, the fault is in the reception, not in the tokens.
    public static let deafAfter = Span.hours(24)

    /// An installation heard from within a week has no stale token, so its device events need no check.
    public static let leastStaleAfterDays: Int64 = 7

    /// An installation that says that it has no token, on this many UTC days over this time, and gives no
    /// other sign of life, has lost the token that it registered before.
    public static let tokenlessVisits: Int64 = 5
    public static let tokenlessFor = Span.days(7)

    public init() {}

    public func silentBefore(_ now: Instant) -> Instant { now - .days(staleAfterDays) }

    public func staleBefore(_ now: Instant) -> Instant { now - .days(sweepAfterDays) }
}

/// The expected result of a sweep.
public struct SweepPlan: Hashable, Sendable {
    public struct Group: Hashable, Decodable, Sendable {
        public let rule: TokenRule
        public let from: TokenState
        /// The rule that made suspect tokens suspect; `nil` for others.
        public let cause: String?
        /// How long the tokens have been silent, in whole periods of 30 days: 60 means 60 to 89 days.
        public let silentDays: Int64
        public let tokenCount: Int64
    }

    public var groups: [Group] = []
    /// Tokens that are neither retired nor expired.
    public var tokenCount: Int64 = 0
    /// Installations with an active token that shows notifications, and with the permission to show them.
    public var audienceCount: Int64 = 0
    /// Installations of the audience whose last such token would become stale.
    public var lostAudienceCount: Int64 = 0
    /// The last time any device was heard from; `nil` if never.
    public var heardAt: Instant?
    /// Tokens past the expiry that the app stated. No rule judges this, so they count in no share.
    public var expiredCount: Int64 = 0

    public init() {}

    public var staleCount: Int64 { groups.filter { $0.rule == .stale }.reduce(0) { $0 + $1.tokenCount } }
    public var retiredCount: Int64 { groups.filter { $0.rule == .swept }.reduce(0) { $0 + $1.tokenCount } }
    public var isEmpty: Bool { groups.isEmpty }

    /// The share of the audience that would be lost, 0 to 1.
    public var lostAudienceShare: Double {
        audienceCount == 0 ? 0 : Double(lostAudienceCount) / Double(audienceCount)
    }

    /// The share of all tokens that would retire, 0 to 1.
    public var retiredShare: Double { tokenCount == 0 ? 0 : Double(retiredCount) / Double(tokenCount) }

    /// The reason the sweep must not run; `nil` if it may. A sweep with nothing to do is never refused.
    public func refusal(_ rules: SweepRules, now: Instant) -> SweepRefusal? {
        guard !isEmpty else { return nil }
        guard let heardAt, now - heardAt < SweepRules.deafAfter else { return .nobodyHeard(since: heardAt) }
        let share = max(lostAudienceShare, retiredShare)
        return share > rules.maxShare ? .tooMany(share: share, maxShare: rules.maxShare) : nil
    }
}

public enum SweepRefusal: Error, Hashable, Sendable {
    /// No sign of life has arrived from any device.
    case nobodyHeard(since: Instant?)
    /// More of the audience, or of the tokens, would be lost than is allowed.
    case tooMany(share: Double, maxShare: Double)
}
