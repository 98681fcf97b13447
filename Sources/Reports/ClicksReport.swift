public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// What people did with the notifications their devices had.
public struct ClicksReport: Report, Hashable {
    public let frame: ReportFrame
    /// One for each key of the breakdown, by time or else the largest first; none without a breakdown.
    public let rows: [CountedRow]
    public let totals: MeasureCounts
    /// Of the whole app in this window, whatever campaigns were kept.
    public let unmatched: Int64

    public static let rates: [Rate] = [.clickThrough, .clickPerAccepted, .dismissal]
    /// What the document shows, in its order.
    public static let shown: [Measure] = [.accepted, .confirmed, .clicked, .dismissed, .presented]
    /// Attempts only put the rows in order.
    static let measures: [Measure] = [.attempted] + shown

    /// Asks the counters, in one snapshot.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` when counters contradict each
    ///   other, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> ClicksReport
    {
        try connection.snapshot {
            try ClicksReport(
                frame: ReportFrame(report: "clicks", query: query, unit: .notifications, asOf: now),
                rows: CountedRow.read(.Reports.clicks, query, measures: measures, on: connection),
                totals: CountedRow.readTotals(.Reports.clicks, query, measures: measures, on: connection),
                unmatched: UnmatchedCount.read(query, on: connection))
        }
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose
    ///   numbers contradict each other.
    init(frame: ReportFrame, rows: [CountedRow], totals: MeasureCounts, unmatched: Int64) throws(ReportError)
    {
        try AddingUp(report: frame.report, measures: Self.measures)
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
        [
            .init("counts", .object(shown.map { .init($0.rawValue, .integer(counts[$0])) })),
            .init("rates", rates.json(of: counts)),
        ]
    }
}
