internal import DeliveryModel
internal import Reports

extension ClicksTable {
    /// The clicks as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Clicks") }
        let page = page
        let charts = BreakdownCharts(
            frame: report.frame, rows: report.rows,
            series: [
                .init(name: "confirmed", ink: .confirmed) { $0[.confirmed] },
                .init(name: "clicked", ink: .clicked) { $0[.clicked] },
            ], rate: .clickThrough, rateInk: .clicked, comparison: report.context.comparison,
            table: page.table)
        return HTMLPage(
            page, headline: Headline.clicks(report.totals), charts: charts.sections,
            terms: [
                "accepted", "confirmed", "presented", "clicked", "dismissed", "click_through",
                "click_per_accepted", "dismissal", "unmatched",
            ])
    }
}
