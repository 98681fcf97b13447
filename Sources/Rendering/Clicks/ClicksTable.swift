internal import DeliveryModel
internal import Reports

/// `landfall clicks` as text.
struct ClicksTable {
    let report: ClicksReport
    let style: OutputStyle

    init(_ report: ClicksReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] { page.lines(style) }

    var page: ReportPage {
        var page = ReportPage(
            frame: report.frame, title: "Clicks", pictures: [stages], remarks: remarks, table: table,
            sections: CompletenessLine.sections(report.context.completeness, style))
        page.isRounded = report.totals.roundedBy > 0
        page.variants = report.variants(style)
        page.comparison = ComparisonTable(
            report.context.comparison, report.frame.query, inRows: ["accepted", "confirmed", "clicked"], style
        )
        page.trends = [
            Trend("confirmed", report.rows, report.frame, ink: .confirmed) { $0.counts[.confirmed] },
            Trend("clicked", report.rows, report.frame, ink: .clicked) { $0.counts[.clicked] },
        ].compactMap(\.self)
        return page
    }

    private var stages: StagePicture {
        let totals = report.totals
        let confirmed = totals[.confirmed]
        var picture = StagePicture(
            title: "What people did",
            [
                .init(name: "accepted", count: totals[.accepted], ink: .accepted),
                .init(
                    name: "confirmed", count: confirmed, ink: .confirmed,
                    share: (totals.share(confirmed, of: totals[.accepted]), "accepted")),
                .init(
                    name: "clicked", count: totals[.clicked], ink: .clicked,
                    share: (Rate.clickThrough.proportion(in: totals), "confirmed"),
                    isDoubtful: Rate.clickThrough.caveat(in: totals) != nil, rate: Rate.clickThrough.id),
                .init(
                    name: "presented", count: totals[.presented], ink: .confirmed,
                    share: (totals.share(totals[.presented], of: confirmed), "confirmed")),
                .init(
                    name: "dismissed", count: totals[.dismissed], ink: .aside,
                    share: (Rate.dismissal.proportion(in: totals), "confirmed"),
                    isDoubtful: Rate.dismissal.caveat(in: totals) != nil, rate: Rate.dismissal.id),
            ])
        picture.isFunnel = true
        return picture
    }

    private var remarks: [Remark] {
        [
            Remark(
                name: "click per accepted",
                value: Rate.clickPerAccepted.proportion(in: report.totals).text(style),
                meaning: "clicked of accepted; some vendors call it CTR")
        ] + Remark.clickThrough(report.totals, rows: report.rows) + Remark.unmatched(report.unmatched)
    }

    private var table: TextTable {
        var table = TextTable(
            Dimension.columns(report.frame.query.by) + [
                .init(bar: "of highest", group: 1, isRate: true), .init("Confirmed", group: 1),
                .init("Clicked", group: 1),
                .init("Click-through", group: 1),
                .init("Accepted", group: 2), .init("Click per accepted", group: 2),
                .init("Dismissed", group: 3), .init("Dismissal", group: 3), .init("Presented", group: 3),
            ])
        let rate = Rate.clickThrough
        let largest =
            report.rows.filter { rate.caveat(in: $0.counts) == nil }
            .compactMap { rate.proportion(in: $0.counts).value }.max() ?? 0
        table.rows = report.rows.map { row in
            let share = rate.proportion(in: row.counts).value ?? 0
            let ink: Ink = rate.caveat(in: row.counts) == nil ? .clicked : .aside
            let bar = TextTable.Cell.bar(largest > 0 ? share / largest : share, ink, style)
            return row.key.cells() + cells(row.counts, bar: bar)
        }
        table.totals = Remark.totals(report.frame.query.by) + cells(report.totals, bar: "")
        return table
    }

    private func cells(_ counts: MeasureCounts, bar: TextTable.Cell) -> [TextTable.Cell] {
        [
            bar, .init(grouped(counts[.confirmed])), .init(grouped(counts[.clicked])),
            .rate(.clickThrough, in: counts, style, .clicked),
            .init(grouped(counts[.accepted])),
            .rate(.clickPerAccepted, in: counts, style),
            .init(grouped(counts[.dismissed])), .rate(.dismissal, in: counts, style),
            .init(grouped(counts[.presented])),
        ]
    }
}
