public import DeliveryModel
public import PostgresClient

/// A question that is answered from the counters.
public protocol CounterQuestion: Sendable {
    /// `funnel`, `clicks`.
    static var name: String { get }
    /// The columns, pictures and words of the report.
    static func sheet(of report: CounterReport<Self>) -> Sheet
}

/// A report that is read from the counters: ``FunnelReport``, ``ClicksReport``.
public struct CounterReport<Question: CounterQuestion>: SheetReport, Hashable {
    public var frame: ReportFrame
    /// One for each key of the breakdown: by time, or else the largest first; none without a breakdown.
    public var rows: [CountedRow]
    public internal(set) var totals: MeasureCounts
    public internal(set) var unmatched: UnmatchedCounts
    public internal(set) var context: CounterContext

    public var isEmpty: Bool { totals.isZero && unmatched.isZero }

    public var comparison: ReportComparison? {
        get { context.comparison }
        set { context.comparison = newValue }
    }

    public var sheet: Sheet {
        var sheet = Question.sheet(of: self)
        sheet.isEmpty = isEmpty
        sheet.unmatched = unmatched
        sheet.completeness = context.completeness
        sheet.variants = variantComparisons
        sheet.comparison = comparison
        if totals.roundedBy > 0 {
            sheet.precision = "rounded down to multiples of \(coarseStep)"
            sheet.ratesNote = (
                "rates",
                "only for counts of \(Words.number(coarseStep * 10)) or more, with intervals (95 %, Wilson) "
                    + "that include the rounding"
            )
        }
        return sheet
    }

    /// Each variant of the selected campaign compared with its control; empty unless the query
    /// selects exactly one campaign and the breakdown includes the variant.
    public var variantComparisons: [VariantComparison] {
        let query = frame.query
        guard query.values(of: .campaign).count == 1,
            let position = query.by.firstIndex(of: .variant)
        else { return [] }
        return VariantComparison.all(
            rows.map { (variant: $0.key.parts[position].value, counts: $0.counts) })
    }

    /// Reads the counters in one snapshot.
    ///
    /// - Parameter estimate: whether to estimate arrivals; only a funnel does.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if counters contradict each
    ///   other, `PostgresError`.
    public static func run(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant,
        estimate: ArrivalEstimates.Scope = .shortWindows
    ) throws -> CounterReport {
        try connection.snapshot {
            var report = try compared(query) { try counted($0, on: connection, now: now) }
            if Question.self == Funnel.self, estimate.covers(query) {
                report.context.arrivals = try ArrivalEstimates.read(
                    query, rows: report.rows, totals: report.totals, on: connection)
            }
            report.context.completeness = try Completeness.read(
                query, accepted: report.totals[.accepted], asOf: now, on: connection)
            return report
        }
    }

    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws -> CounterReport {
        let counters = try Counters(query, on: connection)
        return try CounterReport(
            frame: ReportFrame(report: Question.name, query: query, unit: .notifications, asOf: now),
            rows: counters.rows(), totals: counters.totals(),
            unmatched: UnmatchedCounts.read(query, on: connection))
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(
        frame: ReportFrame, rows: [CountedRow], totals: MeasureCounts, unmatched: UnmatchedCounts,
        context: CounterContext = CounterContext()
    ) throws(ReportError) {
        try AddingUp(report: frame.report)
            .check(rows, totals: totals, by: frame.query.by)
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.unmatched = unmatched
        self.context = context
    }
}

/// The parts of a report next to its counters.
public struct CounterContext: Hashable, Sendable {
    /// `nil` if they were not read, see ``ArrivalEstimates/Scope``, and in reports that have none.
    public var arrivals: ArrivalEstimates?
    /// `nil` if the report was not read from a database.
    public var completeness: Completeness?
    public var comparison: ReportComparison?
}

/// A report that can be shown to people who must not learn about single devices.
public protocol CoarseReport: Report {
    /// The report with every count rounded down to a multiple of 10, so that nothing smaller is shown, and
    /// nothing smaller can be found by subtracting one count from another. Rates need counts of ten times the
    /// step, and their intervals include the rounding. It has no estimates and no comparison.
    func coarse() -> Self
}

private let coarseStep: Int64 = 10

extension CounterReport: CoarseReport {
    public func coarse() -> CounterReport {
        func rounded(_ count: Int64) -> Int64 { count / coarseStep * coarseStep }
        var report = self
        report.rows = rows.map { CountedRow(key: $0.key, counts: $0.counts.rounded(to: coarseStep)) }
        report.totals = totals.rounded(to: coarseStep)
        report.unmatched = UnmatchedCounts(
            unmatched: rounded(unmatched.unmatched), local: rounded(unmatched.local))
        report.context = CounterContext()
        return report
    }
}
