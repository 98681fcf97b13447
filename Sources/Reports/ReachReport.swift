public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// How many installations were aimed at, reached and engaged. Distinct, and counted from the notifications
/// themselves.
public struct ReachReport: Report, Hashable {
    public struct Counts: Hashable, Sendable {
        /// Installations with an attempted notification.
        public let targeted: Int64
        /// Installations with a confirmed notification.
        public let reached: Int64
        /// Installations with a click.
        public let engaged: Int64
        /// Notifications that name neither token nor installation: broadcast channels. They have nobody to
        /// count.
        public let withoutTarget: Int64

        public init(targeted: Int64, reached: Int64, engaged: Int64, withoutTarget: Int64) {
            self.targeted = targeted
            self.reached = reached
            self.engaged = engaged
            self.withoutTarget = withoutTarget
        }

        public var reach: Proportion { Proportion(reached, of: targeted) }
    }

    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let counts: Counts

        public init(key: RowKey, counts: Counts) {
            self.key = key
            self.counts = counts
        }
    }

    public let frame: ReportFrame
    /// One for each key of the breakdown, by time or else the largest first; none without a breakdown.
    public let rows: [Row]
    /// Distinct over the whole window: an installation that was reached on two days counts once.
    public let totals: Counts
    /// Installations that could be shown a notification at `frame.asOf`, whenever the window ends: no past
    /// audience is kept.
    public let audience: Int64
    /// Notifications, of the whole app in this window, whatever campaigns were kept.
    public let unmatched: Int64

    /// Above 1 when installations were reached that have left since; there is no interval then.
    public var audienceReach: Proportion { Proportion(totals.reached, of: audience) }

    public var isEmpty: Bool { totals.targeted == 0 && totals.withoutTarget == 0 && unmatched == 0 }

    /// Asks the notifications, in one snapshot. The work grows with the notifications in the window.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> ReachReport
    {
        try connection.snapshot {
            try ReachReport(
                frame: ReportFrame(report: "reach", query: query, unit: .installations, asOf: now),
                rows: readRows(query, on: connection),
                totals: readTotals(query, on: connection),
                audience: Audience.count(of: query.app, on: connection, now: now),
                unmatched: UnmatchedCount.read(query, on: connection))
        }
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose
    ///   numbers contradict each other.
    init(frame: ReportFrame, rows: [Row], totals: Counts, audience: Int64, unmatched: Int64)
        throws(ReportError)
    {
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.audience = audience
        self.unmatched = unmatched
        try checkAddsUp()
    }

    private static func readRows(_ query: ReportQuery, on connection: PostgresConnection)
        throws(PostgresError) -> [Row]
    {
        guard !query.by.isEmpty else { return [] }
        var rows: [Row] = []
        for row in try connection.query(
            .Reports.reach, try parameters(query, by: query.by, on: connection))
        {
            rows.append(Row(key: try RowKey(row, by: query.by), counts: try Counts(row)))
        }
        return rows
    }

    private static func readTotals(_ query: ReportQuery, on connection: PostgresConnection)
        throws(PostgresError)
        -> Counts
    {
        guard
            let row = try connection.query(
                .Reports.reach, try parameters(query, by: [], on: connection)
            ).first
        else {
            return Counts(targeted: 0, reached: 0, engaged: 0, withoutTarget: 0)
        }
        return try Counts(row)
    }

    private static func parameters(
        _ query: ReportQuery, by dimensions: [Dimension], on connection: PostgresConnection
    ) throws(PostgresError) -> [PostgresParameter] {
        let bits: [DeliveryState] = [.attempted, .accepted, .seenOnDevice, .clicked]
        let segmentIDs = try query.segmentIDs(on: connection)
        return query.parameters(by: dimensions, segmentIDs: segmentIDs) + bits.map { .value($0.rawValue) }
    }
}

extension ReachReport.Counts {
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            targeted: try row.get("targeted"), reached: try row.get("reached"),
            engaged: try row.get("engaged"),
            withoutTarget: try row.get("without_target"))
    }
}
