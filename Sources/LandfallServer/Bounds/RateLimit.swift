/// How often something may happen: `burst` times at once, then `perSecond` times a second.
public struct RateLimit: Hashable, Sendable {
    public let perSecond: Double
    public let burst: Int

    /// - Parameters:
    ///   - perSecond: at least 0.001.
    ///   - burst: at least 1.
    public init(perSecond: Double, burst: Int) {
        self.perSecond = max(perSecond, 0.001)
        self.burst = max(burst, 1)
    }

    /// The time until one token is refilled.
    var interval: Duration { .nanoseconds(Int64(1_000_000_000 / perSecond)) }
    /// The time until an empty bucket is full again.
    var window: Duration { interval * burst }
}
