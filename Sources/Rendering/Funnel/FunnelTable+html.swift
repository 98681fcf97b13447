internal import DeliveryModel
internal import Reports

extension FunnelTable {
    /// The funnel as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Funnel") }
        let page = page
        let charts = BreakdownCharts(
            frame: report.frame, rows: report.rows,
            series: [
                .init(name: "attempted", ink: .attempted) { $0[.attempted] },
                .init(name: "accepted", ink: .accepted) { $0[.accepted] },
                .init(name: "confirmed", ink: .confirmed) { $0[.confirmed] },
                .init(name: "clicked", ink: .clicked) { $0[.clicked] },
            ], rate: .clickThrough, rateInk: .clicked, comparison: report.context.comparison,
            table: page.table)
        return HTMLPage(
            page, headline: Headline.funnel(report.totals), charts: charts.sections,
            terms: [
                "attempted", "accepted", "reportable", "arrived", "confirmed", "clicked", "acceptance",
                "arrival", "click_through", "unmatched",
            ])
    }
}
