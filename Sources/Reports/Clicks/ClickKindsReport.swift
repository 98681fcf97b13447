public import DeliveryModel
public import PostgresClient

/// Clicks by what is known of them: by action, category of notification, or state of the app.
public struct ClickKindsReport: SheetReport, Hashable {
    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let clicks: ClickKinds
    }

    public var frame: ReportFrame
    /// The rows by time, or else the largest first.
    public var rows: [Row]
    public let totals: ClickKinds
    public let unmatched: UnmatchedCounts
    public internal(set) var completeness: Completeness?
    public var comparison: ReportComparison?

    public var isEmpty: Bool { totals.clicked == 0 && unmatched.isZero }

    /// Reads the notifications in one snapshot. The work grows with the notifications in the window.
    ///
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)`` if some of the app's
    ///   notifications in the window are no longer kept,
    ///   ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> ClickKindsReport
    {
        try connection.snapshot {
            try KeptNotifications(of: query, heldOn: connection).check("clicks by what is known of them")
            var (report, counts) = try counted(query, on: connection, now: now)
            report.completeness = try Completeness.read(
                query, accepted: counts[.accepted], asOf: now, on: connection)
            if let window = query.comparison {
                let before = try counted(query.with(window: window), on: connection, now: now).report
                report.comparison = ReportComparison(now: report.side, before: before.side)
            }
            return report
        }
    }

    /// Reads rows and totals without their context, and the counters of the same query.
    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws -> (report: ClickKindsReport, counts: MeasureCounts) {
        let counts = try Counters(query.cut(by: []), on: connection).totals()
        let report = try ClickKindsReport(
            frame: ReportFrame(report: Clicks.name, query: query, unit: .notifications, asOf: now),
            rows: readRows(query, on: connection), clicked: counts[.clicked],
            unmatched: UnmatchedCounts.read(query, on: connection))
        return (report, counts)
    }

    private static func readRows(
        _ query: ReportQuery, on connection: PostgresConnection
    ) throws(PostgresError) -> [Row] {
        let segmentIDs = try query.segmentIDs(on: connection)
        let query = try query.clamped(on: connection)
        let kinds = query.by.filter(\.isOfClick).map(\.rawValue)
        let found = try connection.query(
            .Reports.clicksByKind,
            query.parameters(by: query.by, segmentIDs: segmentIDs) + [.array(kinds)],
            mostRows: query.mostRows)
        return try found.map { row throws(PostgresError) in
            Row(key: try RowKey(row, by: query.by), clicks: try row.decode())
        }
    }

    /// - Parameter clicked: the counter of the same query.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if the rows contradict it.
    init(frame: ReportFrame, rows: [Row], clicked: Int64, unmatched: UnmatchedCounts) throws(ReportError) {
        let totals = rows.reduce(ClickKinds()) { $0 + $1.clicks }
        try AddingUp(report: frame.report).require(clicked, ==, totals.clicked, "clicked = Σ rows")
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.unmatched = unmatched
    }
}

/// Clicks, and what is known of them. A notification counts once, with its first click.
public struct ClickKinds: Hashable, Decodable, Sendable {
    public internal(set) var clicked: Int64 = 0
    /// Taps, and actions unless the app handled them in the background.
    public internal(set) var opened: Int64 = 0
    /// The user typed a text.
    public internal(set) var withText: Int64 = 0

    /// Actions that the app handled without coming to the foreground.
    public var background: Int64 { clicked - opened }

    static func + (left: ClickKinds, right: ClickKinds) -> ClickKinds {
        ClickKinds(
            clicked: left.clicked + right.clicked, opened: left.opened + right.opened,
            withText: left.withText + right.withText)
    }

    /// The part of these clicks in all of the report.
    public func share(of all: ClickKinds) -> Proportion { Proportion(clicked, of: all.clicked) }
}

extension ClickKindsReport {
    /// `click_share` is of all clicks of the report.
    private var fields: [SheetField<ClickKinds>] {
        [
            SheetField(SheetColumn("clicked", ink: .clicked)) { .count($0.clicked) },
            SheetField(SheetColumn("opened")) { .count($0.opened) },
            SheetField(SheetColumn("background")) { .count($0.background) },
            SheetField(SheetColumn("with_text")) { .count($0.withText) },
            SheetField(SheetColumn("click_share", .rate, title: "Of all clicks")) { [totals] in
                .rate($0.share(of: totals))
            },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet(
            "Clicks", frame, fields, rows: rows.map { ($0.key, $0.clicks) }, totals: totals,
            nothing: ClickKinds())
        sheet.isEmpty = isEmpty
        sheet.unmatched = unmatched
        sheet.completeness = completeness
        sheet.comparison = comparison
        sheet.headline = headline
        sheet.table += [
            [.bar(SheetBar("of highest", "clicked", .clicked)), "clicked", "click_share"],
            ["opened", "background", "with_text"],
        ]
        sheet.blankTotals = ["click_share"]
        sheet.pictures = [.stages(stages)]
        sheet.remarks = SheetRemark.unmatched(unmatched)
        sheet.comparedInRows = ["clicked", "opened"]
        sheet.terms = ["clicked", "opened", "background", "with_text", "unmatched"]
        return sheet
    }

    private var stages: StagePicture {
        func part(_ count: Int64) -> (Proportion, String) {
            (Proportion(count, of: totals.clicked), "clicked")
        }
        return StagePicture(
            title: "How people clicked",
            [
                .init("clicked", totals.clicked, ink: .clicked),
                .init("opened", totals.opened, ink: .clicked, share: part(totals.opened)),
                .init("background", totals.background, ink: .aside, share: part(totals.background)),
                .init("with_text", totals.withText, ink: .clicked, share: part(totals.withText)),
            ])
    }

    private var headline: String {
        guard totals.clicked > 0 else { return "Nothing was clicked in this window." }
        let opened = Headline.share(Proportion(totals.opened, of: totals.clicked))
        return "\(opened) of the \(Words.number(totals.clicked)) clicked notifications opened the app."
    }
}
