internal import DeliveryModel
internal import Reports

/// `landfall reach` for people.
struct ReachTable {
    let report: ReachReport
    let style: OutputStyle

    init(_ report: ReachReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] { page.lines(style) }

    var page: ReportPage {
        var page = ReportPage(
            frame: report.frame, title: "Reach", pictures: [stages], remarks: remarks, table: table)
        page.trends = [
            Trend("targeted", report.rows, report.frame, ink: .attempted) { $0.counts.targeted },
            Trend("reached", report.rows, report.frame, ink: .confirmed) { $0.counts.reached },
        ].compactMap(\.self)
        return page
    }

    private var stages: StagePicture {
        let totals = report.totals
        return StagePicture(
            title: "Installations",
            [
                .init(name: "audience", count: report.audience, ink: .aside),
                .init(name: "targeted", count: totals.targeted, ink: .attempted),
                .init(
                    name: "reached", count: totals.reached, ink: .confirmed, share: (totals.reach, "targeted")
                ),
                .init(
                    name: "engaged", count: totals.engaged, ink: .clicked,
                    share: (Proportion(totals.engaged, of: totals.reached), "reached")),
            ])
    }

    private var remarks: [Remark] {
        let audience = report.audienceReach
        return [
            Remark(
                name: "audience reach", value: audience.text(style),
                meaning:
                    "\(grouped(audience.numerator)) reached of the audience of \(grouped(audience.denominator)), as it is now"
            ),
            Remark(
                name: "without target", value: grouped(report.totals.withoutTarget),
                meaning: "notifications to neither token nor installation; left out"),
            Remark.unmatched(report.unmatched),
        ]
    }

    private var table: TextTable {
        var table = TextTable(
            Dimension.columns(report.frame.query.by) + [
                .init("", isNumber: false, group: 1), .init("Targeted", group: 1), .init("Reached", group: 1),
                .init("Reach", group: 1), .init("Engaged", group: 1),
            ])
        let largest = report.rows.map(\.counts.targeted).max() ?? 0
        table.rows = report.rows.map { row in
            let bar = Bar.text(row.counts.reached, of: largest, width: style.isNarrow ? 8 : 12, style)
            return row.key.cells() + cells(row.counts, bar: bar)
        }
        table.totals = Remark.totals(report.frame.query.by) + cells(report.totals, bar: "distinct")
        return table
    }

    private func cells(_ counts: ReachReport.Counts, bar: String) -> [TextTable.Cell] {
        [
            .init(bar, .confirmed), .init(grouped(counts.targeted)), .init(grouped(counts.reached)),
            .init(counts.reach.text(style), .confirmed), .init(grouped(counts.engaged)),
        ]
    }
}
