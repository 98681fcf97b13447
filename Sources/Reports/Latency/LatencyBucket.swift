internal import PostgresClient
internal import SQLFiles

/// A span of time by which latencies are counted; see `landfall.latency_bucket`.
public struct LatencyBucket: Hashable, Sendable {
    public let number: Int16
    /// Milliseconds it begins with. 0 in bucket 0, which holds what took less, too: clocks disagree.
    public let from: Int64
    /// Milliseconds it ends before; nil for the last one, which has no end.
    public let to: Int64?

    public init(number: Int16, from: Int64, to: Int64?) {
        self.number = number
        self.from = from
        self.to = to
    }

    /// Stands for all that lies in it, in milliseconds: the geometric mean of the shortest and the longest, at most 4.9 % off
    /// either. The beginning, where there is no end.
    public var middle: Int64 {
        guard let to, from > 0 else { return from }
        return Int64((Double(from) * Double(to - 1)).squareRoot().rounded())
    }

    /// All there are, from the shortest to the longest.
    static func all(on connection: PostgresConnection) throws(PostgresError) -> [LatencyBucket] {
        var buckets: [LatencyBucket] = []
        for row in try connection.query(.Reports.latencyBuckets) {
            buckets.append(
                LatencyBucket(
                    number: try row.get("bucket"), from: try row.get("from_ms"),
                    to: try row.getOptional("to_ms")))
        }
        return buckets
    }
}
