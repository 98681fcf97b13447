/// When silence makes a token stale, when staleness retires it, and when a sweep must not run at all.
public struct SweepRules: Hashable, Sendable {
    /// Silent for this many days becomes stale; never less than ``leastStaleAfterDays``.
    public var staleAfterDays: Int64 = 60 {
        didSet { staleAfterDays = max(staleAfterDays, Self.leastStaleAfterDays) }
    }
    /// Stale for this many days retires.
    public var sweepAfterDays: Int64 = 30
    /// A sweep that costs a greater share of the audience is refused.
    public var maxShare = 0.10

    /// When nobody at all was heard from for this long, our ears are broken, not their tokens.
    public static let deafAfter = Span.hours(24)

    /// Whoever was heard from within a week has no stale token: an event of such a device need not look for one.
    public static let leastStaleAfterDays: Int64 = 7

    public init() {}

    /// Tokens silent since before this become stale.
    public func silentBefore(_ now: Instant) -> Instant { now - .days(staleAfterDays) }

    /// Tokens stale since before this retire.
    public func staleBefore(_ now: Instant) -> Instant { now - .days(sweepAfterDays) }
}

/// What a sweep would do.
public struct SweepPlan: Hashable, Sendable {
    /// Tokens of one state and age.
    public struct Group: Hashable, Sendable {
        public let rule: TokenRule
        public let from: TokenState
        /// The rule that made suspect tokens suspect; nil for others.
        public let cause: String?
        /// Whole months of 30 days the tokens have been silent: 60 stands for 60 to 89 days.
        public let silentDays: Int64
        public let tokenCount: Int64

        public init(
            rule: TokenRule, from: TokenState, cause: String? = nil, silentDays: Int64, tokenCount: Int64
        ) {
            self.rule = rule
            self.from = from
            self.cause = cause
            self.silentDays = silentDays
            self.tokenCount = tokenCount
        }
    }

    public var groups: [Group]
    /// Tokens that are neither retired now nor over their time.
    public var tokenCount: Int64
    /// Installations with an active token that shows notifications, and the permission to.
    public var audienceCount: Int64
    /// Those of the audience whose last such token would become stale.
    public var lostAudienceCount: Int64
    /// When any device was last heard from; nil for never.
    public var heardAt: Instant?
    /// Tokens whose time, as the app gave it, is over. That is no judgement of ours, so they count in no share.
    public var expiredCount: Int64

    public init(
        groups: [Group], tokenCount: Int64, audienceCount: Int64, lostAudienceCount: Int64, heardAt: Instant?,
        expiredCount: Int64 = 0
    ) {
        self.groups = groups
        self.tokenCount = tokenCount
        self.audienceCount = audienceCount
        self.lostAudienceCount = lostAudienceCount
        self.heardAt = heardAt
        self.expiredCount = expiredCount
    }

    public var staleCount: Int64 { groups.filter { $0.rule == .stale }.reduce(0) { $0 + $1.tokenCount } }
    public var retiredCount: Int64 { groups.filter { $0.rule == .swept }.reduce(0) { $0 + $1.tokenCount } }
    public var isEmpty: Bool { groups.isEmpty }

    /// Share of the audience that would be lost, 0 to 1.
    public var lostAudienceShare: Double {
        audienceCount == 0 ? 0 : Double(lostAudienceCount) / Double(audienceCount)
    }

    /// Share of all tokens that would retire, 0 to 1.
    public var retiredShare: Double { tokenCount == 0 ? 0 : Double(retiredCount) / Double(tokenCount) }

    /// Why the sweep must not run; nil when it may. Nothing to do is never refused.
    public func refusal(_ rules: SweepRules, now: Instant) -> SweepRefusal? {
        guard !isEmpty else { return nil }
        guard let heardAt, now - heardAt < SweepRules.deafAfter else { return .nobodyHeard(since: heardAt) }
        let share = max(lostAudienceShare, retiredShare)
        return share > rules.maxShare ? .tooMany(share: share, maxShare: rules.maxShare) : nil
    }
}

/// Why a sweep was refused for safety.
public enum SweepRefusal: Hashable, Sendable {
    /// No sign of life has come in from any device.
    case nobodyHeard(since: Instant?)
    /// More of the audience, or of the tokens, would go than is allowed.
    case tooMany(share: Double, maxShare: Double)
}
