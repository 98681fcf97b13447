internal import DeliveryModel
internal import Reports

extension FunnelTable {
    /// The funnel as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        let totals = report.totals
        let arrival = Rate.arrival.proportion(in: totals)
        let figures: [PageFigure] = [
            .init(
                name: "attempted", value: grouped(totals[.attempted]), detail: "notifications sent",
                id: "attempted"),
            .init("accepted", Rate.acceptance.proportion(in: totals), of: "attempted", ink: .accepted),
            .init(
                "confirmed", Proportion(totals[.confirmed], of: totals[.accepted]), of: "accepted",
                ink: .confirmed),
            .init("clicked", Rate.clickThrough.proportion(in: totals), of: "confirmed", ink: .clicked),
            .init(
                rate: "arrival, at least", arrival, of: "reportable", prefix: "≥ ", ink: .confirmed,
                id: Rate.arrival.id),
        ]
        let charts = BreakdownCharts(
            frame: report.frame, rows: report.rows,
            series: [
                .init(name: "attempted", ink: .attempted) { $0[.attempted] },
                .init(name: "accepted", ink: .accepted) { $0[.accepted] },
                .init(name: "confirmed", ink: .confirmed) { $0[.confirmed] },
                .init(name: "clicked", ink: .clicked) { $0[.clicked] },
            ], rate: .clickThrough, rateInk: .clicked)
        return HTMLPage(
            page, headline: Headline.funnel(totals), figures: figures, charts: charts.sections,
            terms: [
                "attempted", "accepted", "reportable", "arrived", "confirmed", "clicked", "acceptance",
                "arrival", "click_through", "unmatched",
            ])
    }
}
