/// The description of a metric before its first use: help text, labels and, for a histogram, buckets.
public struct MetricDescription: Sendable {
    public enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    public let name: String
    public let kind: Kind
    /// The `HELP` line: what is counted, and in which unit.
    public let help: String
    public let labels: [String]
    /// Upper bounds of a histogram, ascending, without the infinite one.
    public let buckets: [Double]

    public init(
        _ kind: Kind, _ name: String, labels: [String] = [], buckets: [Double] = [], _ help: String
    ) {
        self.kind = kind
        self.name = name
        self.labels = labels
        self.buckets = buckets
        self.help = help
    }
}

/// Fixed buckets, so that histograms of several servers can be added up.
public enum HistogramBuckets {
    /// 0.5 ms to 30 s, in seconds.
    public static let seconds = [
        0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    /// 1 to 10,000 items.
    public static let counts: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
}
