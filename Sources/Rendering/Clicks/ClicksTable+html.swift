internal import DeliveryModel
internal import Reports

extension ClicksTable {
    /// The clicks as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        let totals = report.totals
        let figures: [PageFigure] = [
            .init(
                "confirmed", Proportion(totals[.confirmed], of: totals[.accepted]), of: "accepted",
                ink: .confirmed),
            .init(
                rate: "click-through", Rate.clickThrough.proportion(in: totals), of: "confirmed",
                ink: .clicked, id: Rate.clickThrough.id),
            .init(
                rate: "click per accepted", Rate.clickPerAccepted.proportion(in: totals), of: "accepted",
                ink: .clicked, id: Rate.clickPerAccepted.id),
            .init("dismissed", Rate.dismissal.proportion(in: totals), of: "confirmed", ink: .aside),
        ]
        let charts = BreakdownCharts(
            frame: report.frame, rows: report.rows,
            series: [
                .init(name: "confirmed", ink: .confirmed) { $0[.confirmed] },
                .init(name: "clicked", ink: .clicked) { $0[.clicked] },
            ], rate: .clickThrough, rateInk: .clicked)
        return HTMLPage(
            page, headline: Headline.clicks(totals), figures: figures, charts: charts.sections,
            terms: [
                "accepted", "confirmed", "presented", "clicked", "dismissed", "click_through",
                "click_per_accepted", "dismissal", "unmatched",
            ])
    }
}
