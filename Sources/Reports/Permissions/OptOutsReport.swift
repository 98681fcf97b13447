public import DeliveryModel
public import PostgresClient

/// How many installations turned notifications off within a day after a campaign was pushed to them, compared
/// with how many do on a usual day.
public struct OptOutsReport: SheetReport, Hashable {
    public struct Counts: Hashable, Decodable, Sendable {
        /// Installations that allowed notifications when the first push to them was attempted.
        public let pushed: Int64
        /// Those of them that registered a denial within 24 hours, with no other permission in between.
        public let optOuts: Int64

        public var rate: Proportion { Proportion(optOuts, of: pushed) }
    }

    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let counts: Counts
    }

    public var frame: ReportFrame
    /// The largest first.
    public var rows: [Row]
    /// Each installation that any row counts, and its opt-out, once.
    public let totals: Counts
    /// Per installation that allows notifications, and day: of the whole app in the 7 days before the window.
    public let usual: Proportion
    public var comparison: ReportComparison?

    /// Its headline says if nothing was pushed.
    public var isEmpty: Bool { false }

    /// Reads the notifications in one snapshot. The work grows with them and with the app's installations.
    ///
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)`` if some of the app's
    ///   notifications in the window are no longer kept,
    ///   ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> OptOutsReport
    {
        try connection.snapshot {
            try KeptNotifications(of: query, heldOn: connection).check("opt-outs after pushes")
            return try compared(query) { try counted($0, on: connection, now: now) }
        }
    }

    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws -> OptOutsReport {
        let parameters: [PostgresParameter] = [
            .value(query.app.appID), .value(query.window.from), .value(min(query.window.to, now)),
            .value(query.by.contains(.campaign)), .value(query.by.contains(.variant)),
            .values(query.values(of: .campaign)), .values(query.values(of: .variant)), .value(now),
        ]
        // The first row is the total.
        let read = try connection.query(.Reports.optOuts, parameters, mostRows: query.mostRows.map { $0 + 1 })
        let rows = try read.dropFirst().map { row throws(PostgresError) in
            Row(key: try RowKey(row, by: query.by), counts: try row.decode())
        }
        return try OptOutsReport(
            frame: ReportFrame(
                report: PermissionsReport.name, query: query, unit: .installations, asOf: now),
            rows: query.by.isEmpty ? [] : rows,
            totals: read.first?.decode(Counts.self) ?? Counts(pushed: 0, optOuts: 0),
            usual: PermissionsReport.usualOptOut(before: query, on: connection))
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if the numbers do not agree.
    init(frame: ReportFrame, rows: [Row], totals: Counts, usual: Proportion) throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        try rules.check(totals.rate, "opt_out", place: "the totals")
        // An installation may be in several rows.
        for row in rows {
            try rules.check(row.counts.rate, "opt_out", place: row.key.inWords)
            try rules.require(row.counts.pushed, <=, totals.pushed, "pushed ≤ total", row.key.inWords)
            try rules.require(row.counts.optOuts, <=, totals.optOuts, "opt_outs ≤ total", row.key.inWords)
        }
        let sum = frame.query.by.isEmpty ? totals.pushed : rows.reduce(0) { $0 + $1.counts.pushed }
        try rules.require(totals.pushed, <=, sum, "pushed ≤ Σ rows")
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.usual = usual
    }
}

extension OptOutsReport {
    private var fields: [SheetField<Counts>] {
        [
            .count("pushed", ink: .attempted) { $0.pushed },
            .count("opt_outs", ink: .trouble) { $0.optOuts },
            SheetField(SheetColumn("opt_out", .rate, title: "Opt-out", ink: .trouble)) { .rate($0.rate) },
            SheetField(SheetColumn("usual_opt_out", .rate, in: [.totals])) { [usual] _ in .rate(usual) },
            SheetField(
                SheetColumn("opt_out_difference", .rate, title: "From usual", in: [.rows, .totals, .csv])
            ) { [usual] in
                let difference = ProportionDifference(from: usual, to: $0.rate)
                return .estimatedRate(
                    EstimatedRate(value: difference.value, interval: difference.interval))
            },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet("Opt-outs", frame, fields, rows: rows.map { ($0.key, $0.counts) }, totals: totals)
        sheet.comparison = comparison
        let by = frame.query.by.map(\.rawValue).joined(separator: " or ")
        sheet.headline =
            totals.pushed == 0
            ? "No push in this window went to an installation that allowed notifications."
            : "\(Words.number(totals.optOuts)) of \(Words.number(totals.pushed)) installations turned "
                + "notifications off within a day after the first push"
                + (by.isEmpty ? ": " : " of a \(by): ") + Headline.share(totals.rate)
                + (usual.value == nil ? "." : ", usually \(Headline.share(usual)).")
        sheet.table += [
            [
                .bar(SheetBar("of highest", "opt_out", .trouble)), "pushed", "opt_outs", "opt_out",
                "opt_out_difference",
            ]
        ]
        sheet.pictures = [
            .stages(
                StagePicture(
                    title: "Installations that allowed notifications",
                    [
                        .init("pushed", totals.pushed, ink: .attempted),
                        .init(
                            "opt_outs", totals.optOuts, ink: .trouble, share: (totals.rate, "pushed"),
                            rate: "opt_out"),
                    ]))
        ]
        sheet.remarks = [
            SheetRemark(
                "usual opt-out", .rate(usual), "a day, of the whole app in the 7 days before the window"),
            SheetRemark(
                "from usual", sheet.total("opt_out_difference"), "the difference, with Newcombe's interval",
                id: "opt_out_difference"),
        ]
        sheet.comparedInRows = ["opt_outs"]
        sheet.terms = Metric.optOuts.map(\.id)
        return sheet
    }
}
