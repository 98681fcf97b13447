/// Stops mass retirement. If provider responses would retire too many tokens of one app, environment and
/// topic in ten minutes, a sender's or provider's mistake is more likely than this many people leaving.
///
/// Only tokens that were accepted before count, and only pushes of the last 24 hours: a token that was never
/// accepted may be malformed, and responses posted days later say nothing about the present.
public struct BreakerRules: Hashable, Sendable {
    /// Fewer tokens never open it.
    public var minimum: Int64 = 20
    /// A share of the attempted tokens, 0 to 1. Only a significantly greater share opens the breaker.
    public var share = 0.2

    /// A multiple of the app's usual share; only a significantly greater share opens the breaker.
    public static let usualRatio = 3.0
    /// The most that this can require: without a bound, forged registrations, which are never accepted, would
    /// raise it without end.
    public static let highestUsual = 0.5
    /// Whole minutes, including the current one.
    public static let windowMinutes: Int64 = 10
    public static let latestPushes = Span.hours(24)
    /// The usual share is computed from this many days before these pushes.
    public static let usualDays: Int64 = 30

    public init() {}

    /// Whether the lower end of the share's 95 % interval (Wilson) is too high, given the share of the app's
    /// pushes that took tokens out of use in the days before.
    public func isExceeded(by counts: BreakerCounts, usual: Double) -> Bool {
        guard counts.retired >= minimum else { return false }
        let proportion = Proportion(min(counts.retired, counts.attempted), of: counts.attempted)
        guard let interval = proportion.interval else { return false }
        return interval.lowerBound > max(share, min(Self.usualRatio * usual, Self.highestUsual))
    }
}

/// A breaker's counts within its window.
public struct BreakerCounts: Hashable, Codable, Sendable {
    /// Tokens of the app, environment and topic that responses were about; each once per batch.
    public var attempted: Int64
    /// The tokens among these that responses retired or made suspect.
    public var retired: Int64

    public init(attempted: Int64, retired: Int64) {
        (self.attempted, self.retired) = (attempted, retired)
    }
}
