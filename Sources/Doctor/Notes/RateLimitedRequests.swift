/// Requests that a server rejected with 429, by the kind of their key.
public struct RateLimitedRequests: Hashable, Codable, Sendable {
    public var device = 0
    /// Hook keys included: they have the same limit.
    public var server = 0
    public var report = 0
    public var withoutKey = 0

    public init() {}

    public var total: Int { device + server + report + withoutKey }

    public static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.device += right.device
        sum.server += right.server
        sum.report += right.report
        sum.withoutKey += right.withoutKey
        return sum
    }
}
