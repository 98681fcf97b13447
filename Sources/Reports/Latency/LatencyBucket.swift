internal import PostgresClient
internal import SQLFiles

/// A range of durations by which latencies are counted; see `landfall.latency_bucket`.
public struct LatencyBucket: Hashable, Sendable {
    public let number: Int16
    /// The lower bound in milliseconds. 0 in bucket 0, which also holds negative durations, because clocks disagree.
    public let from: Int64
    /// The exclusive upper bound in milliseconds; `nil` for the last bucket, which has none.
    public let to: Int64?

    /// Represents all durations in the bucket, in milliseconds: the geometric mean of the shortest
    /// and the longest, at most 4.9 % off either. The lower bound if there is no upper bound.
    public var middle: Int64 {
        guard let to, from > 0 else { return from }
        return Int64((Double(from) * Double(to - 1)).squareRoot().rounded())
    }

    /// All buckets, from the shortest to the longest.
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
