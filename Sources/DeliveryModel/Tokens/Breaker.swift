/// Stops mass retirement: when provider responses would take too many tokens of one app, environment and topic out of use within ten
/// minutes, it is more likely that a sender or provider slipped than that this many people left at once.
///
/// Only tokens that were accepted before count, and only pushes of the last 24 hours: what was never accepted may be malformed, and what is
/// told days later is history.
public struct BreakerRules: Hashable, Sendable {
    /// Fewer tokens never open it.
    public var minimum: Int64 = 20
    /// Nor does a share of the attempted tokens that is not surely greater than this, 0 to 1.
    public var share = 0.2

    /// Nor one that is not surely greater than this many times what is usual for the app.
    public static let usualRatio = 3.0
    /// Whole minutes, the running one included.
    public static let windowMinutes: Int64 = 10
    /// Pushes that were sent earlier do not count.
    public static let latestPushes = Span.hours(24)
    /// What is usual is taken from as many days before these pushes.
    public static let usualDays: Int64 = 30

    public init() {}

    /// Whether so many tokens are too many: surely, by the lower end of the 95 % interval (Wilson) of their share.
    ///
    /// - Parameter usual: the share of an app's pushes that took tokens out of use in the days before.
    public func isExceeded(by counts: BreakerCounts, usual: Double) -> Bool {
        guard counts.retired >= minimum else { return false }
        let proportion = Proportion(min(counts.retired, counts.attempted), of: counts.attempted)
        guard let interval = proportion.interval else { return false }
        return interval.lowerBound > max(share, Self.usualRatio * usual)
    }
}

/// What a breaker has counted within its window.
public struct BreakerCounts: Hashable, Codable, Sendable {
    /// Tokens of the app, environment and topic that responses were about; each once per batch.
    public var attempted: Int64
    /// Tokens among them that responses retired or made suspect.
    public var retired: Int64

    public init(attempted: Int64, retired: Int64) {
        self.attempted = attempted
        self.retired = retired
    }
}
