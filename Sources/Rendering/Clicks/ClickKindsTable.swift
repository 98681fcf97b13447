internal import DeliveryModel
internal import Reports

/// `landfall clicks --by action` as text, or by another trait of clicks.
struct ClickKindsTable {
    let report: ClickKindsReport
    let style: OutputStyle

    init(_ report: ClickKindsReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] { page.lines(style) }

    private var page: ReportPage {
        var page = ReportPage(
            frame: report.frame, title: "Clicks", pictures: [stages],
            remarks: Remark.unmatched(report.unmatched),
            table: table, sections: CompletenessLine.sections(report.completeness, style))
        page.comparison = ComparisonTable(
            report.comparison, report.frame.query, inRows: ["clicked", "opened"], style)
        return page
    }

    private var stages: StagePicture {
        let totals = report.totals
        func part(_ count: Int64) -> (Proportion, String) {
            (Proportion(count, of: totals.clicked), "clicked")
        }
        return StagePicture(
            title: "How people clicked",
            [
                .init(name: "clicked", count: totals.clicked, ink: .clicked),
                .init(name: "opened", count: totals.opened, ink: .clicked, share: part(totals.opened)),
                .init(
                    name: "background", count: totals.background, ink: .aside, share: part(totals.background)),
                .init(name: "with text", count: totals.withText, ink: .clicked, share: part(totals.withText)),
            ])
    }

    private var table: TextTable {
        var table = TextTable(
            Dimension.columns(report.frame.query.by) + [
                .init(bar: "of highest", group: 1), .init("Clicked", group: 1),
                .init("Of all clicks", group: 1),
                .init("Opened", group: 2), .init("Background", group: 2), .init("With text", group: 2),
            ])
        let largest = report.rows.map(\.clicks.clicked).max() ?? 0
        table.rows = report.rows.map { row in
            row.key.cells()
                + cells(
                    row.clicks, bar: .bar(row.clicks.clicked, of: largest, .clicked, width: 12, style),
                    share: .rate(row.clicks.share(of: report.totals), style))
        }
        table.totals = Remark.totals(report.frame.query.by) + cells(report.totals, bar: "", share: "")
        return table
    }

    private func cells(_ clicks: ClickKinds, bar: TextTable.Cell, share: TextTable.Cell) -> [TextTable.Cell] {
        [
            bar, .init(grouped(clicks.clicked), .clicked), share,
            .init(grouped(clicks.opened)), .init(grouped(clicks.background)), .init(grouped(clicks.withText)),
        ]
    }

    /// The clicks as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Clicks") }
        return HTMLPage(
            page, headline: headline, terms: ["clicked", "opened", "background", "with_text", "unmatched"])
    }

    private var headline: String {
        let totals = report.totals
        guard totals.clicked > 0 else { return "Nothing was clicked in this window." }
        let opened = Headline.share(Proportion(totals.opened, of: totals.clicked))
        return "\(opened) of the \(grouped(totals.clicked)) clicked notifications opened the app."
    }
}
