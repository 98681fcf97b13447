public import DeliveryModel
public import PostgresClient

/// What the counters can be asked: measures, and the rates made of them.
public protocol CounterQuestion: Sendable {
    /// `funnel`, `clicks`.
    static var name: String { get }
    /// What is shown, in the order of the document and of CSV.
    static var shown: [Measure] { get }
    static var rates: [Rate] { get }
    /// `counts` of the document.
    static func json(_ counts: MeasureCounts) -> JSONValue
}

/// A report that is read from the counters: ``FunnelReport``, ``ClicksReport``.
public struct CounterReport<Question: CounterQuestion>: Report, Hashable {
    public let frame: ReportFrame
    /// One for each key of the breakdown, by time or else the largest first; none without a breakdown.
    public let rows: [CountedRow]
    public let totals: MeasureCounts
    /// Of the whole app in this window, whatever campaigns were kept.
    public let unmatched: Int64

    public var isEmpty: Bool { totals.isZero && unmatched == 0 }

    /// Asks the counters, in one snapshot.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` when counters contradict each
    ///   other, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> CounterReport
    {
        try connection.snapshot {
            let counters = try Counters(query, on: connection)
            return try CounterReport(
                frame: ReportFrame(report: Question.name, query: query, unit: .notifications, asOf: now),
                rows: counters.rows(), totals: counters.totals(),
                unmatched: UnmatchedCount.read(query, on: connection))
        }
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose
    ///   numbers contradict each other.
    init(frame: ReportFrame, rows: [CountedRow], totals: MeasureCounts, unmatched: Int64) throws(ReportError)
    {
        try AddingUp(report: frame.report)
            .check(rows, totals: totals, by: frame.query.by)
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.unmatched = unmatched
    }

    public var document: JSONValue {
        .object(
            frame.members + [
                .init(
                    "rows",
                    .array(rows.map { .object([.init("key", $0.key.json)] + Self.members($0.counts)) })),
                .init("totals", .object(Self.members(totals))),
                .init("unmatched", .integer(unmatched)),
            ])
    }

    private static func members(_ counts: MeasureCounts) -> [JSONValue.Member] {
        [.init("counts", Question.json(counts)), .init("rates", Question.rates.json(of: counts))]
    }
}
