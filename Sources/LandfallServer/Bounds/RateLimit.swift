/// How often something may happen: `burst` times at once, and `perSecond` times a second from then on.
public struct RateLimit: Hashable, Sendable {
    public let perSecond: Double
    public let burst: Int

    /// - Parameters:
    ///   - perSecond: at least one in a thousand seconds.
    ///   - burst: at least one.
    public init(perSecond: Double, burst: Int) {
        self.perSecond = max(perSecond, 0.001)
        self.burst = max(burst, 1)
    }

    /// The time one token takes to come back.
    var interval: Duration { .nanoseconds(Int64(1_000_000_000 / perSecond)) }
    /// The time an empty bucket takes to be full again.
    var window: Duration { interval * burst }
}
