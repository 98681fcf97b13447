internal import Reports

extension ReachTable {
    /// The reach as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Reach") }
        return HTMLPage(
            page, headline: headline, charts: charts,
            terms: ["audience", "targeted", "reached", "engaged", "reach", "audience_reach"])
    }

    private var headline: String {
        let totals = report.totals
        guard totals.targeted > 0 else { return "No installation was sent a notification in this window." }
        return
            "\(text(totals.reached)) of \(text(totals.targeted)) targeted installations were reached "
            + "(\(Headline.share(totals.reach))), and \(text(totals.engaged)) of them clicked."
    }

    /// Distinct installations of two dimensions cannot be added up, so such rows are only in the table.
    private var charts: [HTMLSection] {
        let by = report.frame.query.by
        guard by.count == 1, let period = by.first, period.isPeriod, let axis = TimeAxis(report.frame, period)
        else { return [] }
        let known = Dictionary(
            report.rows.map { ($0.key.parts.first?.value ?? "", $0.counts) },
            uniquingKeysWith: { first, _ in first })
        func series(
            _ name: String, _ ink: Ink, _ count: KeyPath<ReachReport.Counts, Int64>
        ) -> LineChart.Series {
            LineChart.Series(
                name: name, ink: ink,
                points: axis.values.map {
                    .init(known[$0]?[keyPath: count] ?? 0, prefix: isEstimate ? style.nearly : "")
                })
        }
        return [
            .lines(
                LineChart(
                    title: "By \(period.words) of sending",
                    caption: "Distinct installations of each \(period.words). Their sum is not a reach.",
                    axis: axis,
                    series: [
                        series("targeted", .attempted, \.targeted),
                        series("reached", .confirmed, \.reached), series("engaged", .clicked, \.engaged),
                    ], table: PageTable(page.table)))
        ]
    }
}
