public import Basics

/// The number of notifications by duration. Histograms of parts add up to the whole's; quantiles do not.
public struct LatencyHistogram: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let bucket: LatencyBucket
        public let notifications: Int64

        public init(_ bucket: LatencyBucket, _ notifications: Int64) {
            self.bucket = bucket
            self.notifications = notifications
        }
    }

    /// From the shortest to the longest; none is empty.
    public let entries: [Entry]
    /// Notifications with a known duration.
    public let count: Int64

    public init(_ entries: [Entry] = []) {
        self.entries = entries.filter { $0.notifications != 0 }.sorted { $0.bucket.number < $1.bucket.number }
        self.count = entries.reduce(0) { $0 + $1.notifications }
    }

    /// The shortest duration that this share of all did not exceed, by rank (no interpolation), at
    /// most 4.9 % off. `nil` if there are none.
    ///
    /// - Parameter share: 0.5 is the median.
    public func quantile(_ share: Double) -> Span? {
        bucket(at: share).map { Span(milliseconds: $0.middle) }
    }

    /// The number that took at most this long, within the same error.
    public func count(within duration: Span) -> Int64 {
        entries.prefix { $0.bucket.middle <= duration.milliseconds }.reduce(0) { $0 + $1.notifications }
    }

    /// The bucket that contains the quantile.
    public func bucket(at share: Double) -> LatencyBucket? {
        let rank = max(1, Int64((share * Double(count)).rounded(.up)))
        var passed: Int64 = 0
        let entry = entries.first { entry in
            passed += entry.notifications
            return passed >= rank
        }
        return (entry ?? entries.last)?.bucket
    }
}

/// The quantiles that reports show.
public enum LatencyQuantile: String, CaseIterable, Sendable {
    case p50 = "p50_ms"
    case p90 = "p90_ms"
    case p99 = "p99_ms"

    public var share: Double {
        switch self {
        case .p50: 0.5
        case .p90: 0.9
        case .p99: 0.99
        }
    }
}

/// A range of durations by which latencies are counted; see `landfall.latency_bucket`.
public struct LatencyBucket: Hashable, Decodable, Sendable {
    public let number: Int16
    /// The lower bound in milliseconds. 0 in bucket 0, also for negative durations, because clocks disagree.
    public let from: Int64
    /// The exclusive upper bound in milliseconds; `nil` for the last bucket, which has none.
    public let to: Int64?

    /// Represents all durations in the bucket, in milliseconds: the geometric mean of the shortest
    /// and the longest, at most 4.9 % off either. The lower bound if there is no upper bound.
    public var middle: Int64 {
        guard let to, from > 0 else { return from }
        return Int64((Double(from) * Double(to - 1)).squareRoot().rounded())
    }
}
