internal import DeliveryModel

/// A report that can be shown to people who must not learn about single devices.
public protocol CoarseReport: Report {
    /// The report with every count rounded down to a multiple of ``CoarseCounts/step``, so that nothing smaller is shown, and nothing
    /// smaller can be found by subtracting one count from another. Rates need counts of ten times the step, and their intervals
    /// include the rounding. It has no estimates and no comparison.
    func coarse() -> Self
}

public enum CoarseCounts {
    public static let step: Int64 = 10

    static func rounded(_ count: Int64) -> Int64 { count / step * step }
}

extension CounterReport: CoarseReport {
    public func coarse() -> CounterReport {
        var report = self
        report.rows = rows.map { CountedRow(key: $0.key, counts: $0.counts.rounded(to: CoarseCounts.step)) }
        report.totals = totals.rounded(to: CoarseCounts.step)
        report.unmatched = UnmatchedCounts(
            unmatched: CoarseCounts.rounded(unmatched.unmatched), local: CoarseCounts.rounded(unmatched.local)
        )
        report.context = CounterContext()
        return report
    }
}
