public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// How far notifications got, from the attempt to the click.
public struct FunnelReport: Report, Hashable {
    public let frame: ReportFrame
    /// One for each key of the breakdown, by time or else the largest first; none without a breakdown.
    public let rows: [CountedRow]
    public let totals: MeasureCounts
    /// Of the whole app in this window, whatever campaigns were kept.
    public let unmatched: Int64

    public static let rates: [Rate] = [.acceptance, .arrival, .clickThrough]

    /// Rejections by class, then everything else the document shows, and what its rates need.
    static let measures: [Measure] =
        [.attempted, .accepted] + RejectionClass.allCases.map(Measure.rejected) + [
            .conflicting, .reportable, .arrived, .arrivedReportable, .confirmed, .presented, .clicked,
            .dismissed, .confirmedUnreported, .contradicted,
        ]

    /// Asks the counters, in one snapshot.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` when counters contradict each
    ///   other, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> FunnelReport
    {
        try connection.snapshot {
            try FunnelReport(
                frame: ReportFrame(report: "funnel", query: query, unit: .notifications, asOf: now),
                rows: CountedRow.read(.Reports.funnel, query, measures: measures, on: connection),
                totals: CountedRow.readTotals(.Reports.funnel, query, measures: measures, on: connection),
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
        [.init("counts", json(counts)), .init("rates", rates.json(of: counts))]
    }

    private static func json(_ counts: MeasureCounts) -> JSONValue {
        let single: [Measure] = [
            .conflicting, .reportable, .arrived, .confirmed, .presented, .clicked, .dismissed,
            .confirmedUnreported,
            .contradicted,
        ]
        return .object(
            [
                .init("attempted", .integer(counts[.attempted])),
                .init("accepted", .integer(counts[.accepted])),
                .init("rejected", rejected(counts)),
            ] + single.map { .init($0.rawValue, .integer(counts[$0])) })
    }

    /// Only the classes that occurred.
    private static func rejected(_ counts: MeasureCounts) -> JSONValue {
        .object(
            RejectionClass.allCases
                .map { .init($0.rawValue, .integer(counts[.rejected($0)])) }
                .filter { $0.value != .integer(0) })
    }
}
