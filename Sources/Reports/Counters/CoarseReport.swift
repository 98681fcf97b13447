internal import DeliveryModel

/// A report that can be shown to people who must not learn about single devices.
public protocol CoarseReport: Report {
    /// The report with every count rounded down to a multiple of ``CoarseCounts/step``, so that nothing smaller is shown, and nothing
    /// smaller can be found by subtracting one count from another. It has no estimates and no comparison.
    func coarse() -> Self
}

public enum CoarseCounts {
    public static let step: Int64 = 10

    static func rounded(_ count: Int64) -> Int64 { count / step * step }
}

extension CounterReport: CoarseReport {
    public func coarse() -> CounterReport {
        var report = self
        report.rows = rows.map { CountedRow(key: $0.key, counts: $0.counts.coarse) }
        report.totals = totals.coarse
        report.unmatched = UnmatchedCounts(
            unmatched: CoarseCounts.rounded(unmatched.unmatched), local: CoarseCounts.rounded(unmatched.local)
        )
        report.context = CounterContext()
        return report
    }
}

extension MeasureCounts {
    fileprivate var coarse: MeasureCounts {
        var counts = self
        for measure in Measure.allCases { counts[measure] = CoarseCounts.rounded(self[measure]) }
        return counts
    }
}
