public import DeliveryModel
public import PostgresClient

/// The losses of notifications: attempted, rejected by class, accepted, each reason why no device confirmed
/// it, confirmed, clicked. Read from counters, except for replaced notifications of selected campaigns.
public struct LossReport: SheetReport, Hashable {
    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let counts: LossCounts
    }

    public static let name = "loss"
    public static let rates: [Rate] = [.acceptance, .clickThrough]

    public var frame: ReportFrame
    /// One for each key of the breakdown: by time, or else the largest first; none without a breakdown.
    public var rows: [Row]
    public let totals: LossCounts
    public let unmatched: UnmatchedCounts
    public internal(set) var completeness: Completeness?
    public var comparison: ReportComparison?
    /// If replaced notifications were requested but some were dropped, the instant before which they were;
    /// `nil` if all are kept.
    public internal(set) var droppedBefore: Instant?
    /// Whether only the window to compare with lacks notifications.
    var lacksOnlyCompared = false

    public var isEmpty: Bool { totals.counts.isZero && unmatched.isZero }

    /// The reason why there is no number of replaced notifications; `nil` if there is one.
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

    /// Reads the counters in one snapshot.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if counters contradict each
    ///   other, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> LossReport
    {
        try connection.snapshot {
            let isAsked = !query.values(of: .campaign).isEmpty
            let kept = isAsked ? try KeptNotifications(of: query, heldOn: connection) : nil
            // Other reasons have different numbers if replaced notifications are counted, so these
            // are counted in both windows or in none.
            let isHeld = kept?.areAll ?? false
            var report = try compared(query) {
                try counted($0, seeksReplaced: isHeld, on: connection, now: now)
            }
            report.completeness = try Completeness.read(
                query, accepted: report.totals.counts[.accepted], asOf: now, on: connection)
            report.droppedBefore = isHeld ? nil : kept?.from
            report.lacksOnlyCompared = kept?.lackOnlyCompared ?? false
            return report
        }
    }

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

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(
        frame: ReportFrame, rows: [Row], totals: LossCounts, unmatched: UnmatchedCounts,
        completeness: Completeness? = nil, comparison: ReportComparison? = nil
    ) throws(ReportError) {
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.unmatched = unmatched
        self.completeness = completeness
        self.comparison = comparison
        try checkAddsUp()
    }
}

extension LossReport {
    /// Checks that every attempt was accepted or rejected for one class of reason, that every accepted
    /// notification was confirmed or lost for one reason, and that the totals are the sum of the rows.
    func checkAddsUp() throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        let counted = rows.map { CountedRow(key: $0.key, counts: $0.counts.counts) }
        try rules.check(counted, totals: totals.counts, by: frame.query.by)
        try check(totals, place: "the totals", rules)
        guard !frame.query.by.isEmpty else { return }
        for row in rows { try check(row.counts, place: row.key.inWords, rules) }
        for loss in Loss.allCases {
            guard let total = totals[loss] else { continue }
            let sum = rows.reduce(0) { $0 + ($1.counts[loss] ?? 0) }
            try rules.require(total, ==, sum, "\(loss.rawValue) = Σ rows")
        }
    }

    private func check(_ counts: LossCounts, place: String, _ rules: AddingUp) throws(ReportError) {
        for loss in Loss.allCases {
            guard let count = counts[loss] else { continue }
            try rules.require(count, >=, 0, "\(loss.rawValue) ≥ 0", place)
        }
        let explained = counts.losses.values.reduce(0, +)
        try rules.require(
            counts.unconfirmed, ==, explained, "accepted − confirmed = Σ reasons", place)
    }
}

/// Reads the numbers of the loss report within one snapshot: the counters, unconfirmed notifications
/// by segment and, for selected campaigns, the notifications that were replaced on the way.
struct LossReader {
    let asOf: Instant
    let connection: PostgresConnection
    /// Whether to search for replaced notifications.
    let seeksReplaced: Bool
    private let counters: Counters
    private var query: ReportQuery { counters.query }

    /// APNs keeps a notification for at most 30 days: a later one replaces nothing anymore.
    private static let storage = Span.days(30)

    init(
        _ query: ReportQuery, asOf: Instant, seeksReplaced: Bool, on connection: PostgresConnection
    ) throws(PostgresError) {
        self.asOf = asOf
        self.seeksReplaced = seeksReplaced
        self.connection = connection
        self.counters = try Counters(query, on: connection)
    }

    /// The rows and the totals. Totals are counted separately; their reasons are the sum of the rows. A
    /// notification is in one row; the rule accepted − confirmed = Σ reasons checks one against the other.
    func read() throws(PostgresError) -> (rows: [LossReport.Row], totals: LossCounts) {
        let unconfirmed = try unconfirmed()
        let rows = try counters.rows().map { row in
            LossReport.Row(key: row.key, counts: LossCounts(row.counts, unconfirmed[row.key] ?? none))
        }
        return (rows, LossCounts(try counters.totals(), unconfirmed.values.reduce(none, +)))
    }

    private var none: UnconfirmedCounts {
        UnconfirmedCounts(superseded: seeksReplaced ? (ofPending: 0, ofUnexplained: 0) : nil)
    }

    /// The counts by the query's breakdown; without one, all under the empty key.
    private func unconfirmed() throws(PostgresError) -> [RowKey: UnconfirmedCounts] {
        let explaining =
            query.parameters(by: query.by, segmentIDs: counters.segmentIDs) + [
                .value(Completeness.youngFrom(asOf)), .array(Loss.permissionsOff),
            ]
        var found: [RowKey: UnconfirmedCounts] = [:]
        let explained = try connection.query(
            .Reports.unconfirmed, explaining + Self.unconfirmedBits, mostRows: query.mostRows)
        for row in explained {
            var counts = none
            counts.notCapable = try row.get("not_capable")
            counts.permissionOff = try row.get("permission_off")
            counts.pending = try row.get("pending")
            counts.unexplained = try row.get("unexplained")
            found[try RowKey(row, by: query.by)] = counts
        }
        guard seeksReplaced else { return found }
        let accepted: DeliveryState = [.attempted, .accepted]
        let seeking =
            explaining + [.value(lastLook)] + Self.unconfirmedBits + [.value(accepted.rawValue)]
        let replaced = try connection.query(.Reports.superseded, seeking, mostRows: query.mostRows)
        for row in replaced {
            let (ofPending, ofUnexplained): (Int64, Int64) =
                (try row.get("of_pending"), try row.get("of_unexplained"))
            found[try RowKey(row, by: query.by), default: none].superseded = (ofPending, ofUnexplained)
        }
        return found
    }

    private var lastLook: Instant { max(query.window.to, min(asOf, query.window.to + Self.storage)) }

    /// The bits of an accepted notification that an extension could report, and those that show
    /// that a device had it or that it was withdrawn.
    private static let unconfirmedBits: [PostgresParameter] = {
        let expected: DeliveryState = [.attempted, .accepted, .canReport]
        return [.value(expected.rawValue), .value(DeliveryState.seenOnDevice.union(.recalled).rawValue)]
    }()
}
