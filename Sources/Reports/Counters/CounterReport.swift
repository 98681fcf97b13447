public import DeliveryModel
public import Documents
public import Instants
public import PostgresClient

/// What the counters can be asked: measures, and the rates made of them.
public protocol CounterQuestion: Sendable {
    /// `funnel`, `clicks`.
    static var name: String { get }
    /// What is shown, in the order of the document and of CSV.
    static var shown: [Measure] { get }
    static var rates: [Rate] { get }
    /// Whether ``ArrivalEstimates`` belong to it.
    static var estimatesArrivals: Bool { get }
    /// `counts` of the document.
    static func json(_ counts: MeasureCounts) -> JSONValue
}

/// A report that is read from the counters: ``FunnelReport``, ``ClicksReport``.
public struct CounterReport<Question: CounterQuestion>: Report, Hashable {
    public internal(set) var frame: ReportFrame
    /// One for each key of the breakdown, by time or else the largest first; none without a breakdown.
    public internal(set) var rows: [CountedRow]
    public let totals: MeasureCounts
    /// Of the whole app in this window, whatever campaigns were kept.
    public let unmatched: UnmatchedCounts
    public internal(set) var context: CounterContext

    public var isEmpty: Bool { totals.isZero && unmatched.isZero }

    /// Asks the counters, in one snapshot.
    ///
    /// - Parameter estimate: whether arrivals are estimated, where the question does that at all.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` when counters contradict each
    ///   other, `PostgresError`.
    public static func run(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant,
        estimate: ArrivalEstimates.Scope = .shortWindows
    ) throws -> CounterReport {
        try connection.snapshot {
            let counted = try Self.counted(query, on: connection, now: now)
            let (rows, totals) = (counted.rows, counted.totals)
            var context = CounterContext()
            if Question.estimatesArrivals, estimate.covers(query) {
                context.arrivals = try ArrivalEstimates.read(
                    query, rows: rows, totals: totals, on: connection)
            }
            context.completeness = try Completeness.read(
                query, accepted: totals[.accepted], asOf: now, on: connection)
            if let window = query.comparison {
                let before = try Self.counted(query.with(window: window), on: connection, now: now)
                context.comparison = ReportComparison(now: counted.side, before: before.side)
            }
            return try CounterReport(
                frame: counted.frame, rows: rows, totals: totals, unmatched: counted.unmatched,
                context: context)
        }
    }

    /// Without what stands beside it.
    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws -> CounterReport {
        let counters = try Counters(query, on: connection)
        return try CounterReport(
            frame: ReportFrame(report: Question.name, query: query, unit: .notifications, asOf: now),
            rows: counters.rows(), totals: counters.totals(),
            unmatched: UnmatchedCounts.read(query, on: connection))
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose
    ///   numbers contradict each other.
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
