internal import DeliveryModel
public import Instants
public import PostgresClient

/// Where notifications were lost: attempted, rejected by class, accepted, each reason why no device confirmed it, confirmed,
/// clicked. From counters; only what was replaced on its way is looked for among the notifications of named campaigns.
public struct LossReport: Report, Hashable {
    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let counts: LossCounts

        public init(key: RowKey, counts: LossCounts) {
            self.key = key
            self.counts = counts
        }
    }

    public static let name = "loss"
    public static let rates: [Rate] = [.acceptance, .clickThrough]

    public internal(set) var frame: ReportFrame
    /// One for each key of the breakdown, by time or else the largest first; none without a breakdown.
    public internal(set) var rows: [Row]
    public let totals: LossCounts
    /// Of the whole app in this window, whatever campaigns were kept.
    public let unmatched: UnmatchedCounts
    /// Nil in a report that was not read from a database.
    public let completeness: Completeness?
    /// Nil unless the query names another window.
    public internal(set) var comparison: ReportComparison?
    /// Replaced notifications were to be looked for, and some of those sent before it were dropped. Nil where they are all there.
    public let droppedBefore: Instant?
    /// These were of the window to compare with, and none of the report's own.
    let lacksOnlyCompared: Bool

    public var isEmpty: Bool { totals.counts.isZero && unmatched.isZero }

    /// Why there is no number of replaced notifications; nil where there is one.
    public var supersededReason: String? {
        guard totals[.superseded] == nil else { return nil }
        guard let droppedBefore else {
            return "not counted unless 'campaign' is given: these are among pending and unexplained"
        }
        let keptFrom = frame.query.timeZone.dateOrInstant(droppedBefore)
        return "not counted, because notifications sent before \(keptFrom) were dropped (retention): "
            + "superseded ones are among pending and unexplained. "
            + (lacksOnlyCompared
                ? "They are counted without 'compare', or if it begins \(keptFrom) at the earliest"
                : "They are counted if 'from' is \(keptFrom) at the earliest")
    }

    /// Asks the counters, in one snapshot.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` when counters contradict each other,
    ///   `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> LossReport
    {
        try connection.snapshot {
            let isAsked = !query.values(of: .campaign).isEmpty
            let kept = isAsked ? try KeptNotifications(of: query, heldOn: connection) : nil
            // What replaced ones stood under is another number where nobody could look for them: in both windows, or in none.
            let isHeld = kept?.areAll ?? false
            let counted = try Self.counted(query, seeksReplaced: isHeld, on: connection, now: now)
            let accepted = counted.totals.counts[.accepted]
            var comparison: ReportComparison?
            if let window = query.comparison {
                let before = try Self.counted(
                    query.with(window: window), seeksReplaced: isHeld, on: connection, now: now)
                comparison = ReportComparison(now: counted.side, before: before.side)
            }
            return try LossReport(
                frame: counted.frame, rows: counted.rows, totals: counted.totals,
                unmatched: counted.unmatched,
                completeness: Completeness.read(query, accepted: accepted, asOf: now, on: connection),
                comparison: comparison, droppedBefore: isHeld ? nil : kept?.from,
                lacksOnlyCompared: kept?.lackOnlyCompared ?? false)
        }
    }

    /// Without what stands beside it.
    private static func counted(
        _ query: ReportQuery, seeksReplaced: Bool, on connection: PostgresConnection, now: Instant
    ) throws -> LossReport {
        let reader = try LossReader(query, asOf: now, seeksReplaced: seeksReplaced, on: connection)
        let (rows, totals) = try reader.read()
        return try LossReport(
            frame: ReportFrame(report: name, query: query, unit: .notifications, asOf: now),
            rows: rows, totals: totals,
            unmatched: UnmatchedCounts.read(query, on: connection))
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose numbers contradict
    ///   each other.
    init(
        frame: ReportFrame, rows: [Row], totals: LossCounts, unmatched: UnmatchedCounts,
        completeness: Completeness? = nil, comparison: ReportComparison? = nil, droppedBefore: Instant? = nil,
        lacksOnlyCompared: Bool = false
    ) throws(ReportError) {
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.unmatched = unmatched
        self.completeness = completeness
        self.comparison = comparison
        self.droppedBefore = droppedBefore
        self.lacksOnlyCompared = lacksOnlyCompared
        try checkAddsUp()
    }
}
