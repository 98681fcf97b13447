internal import Reports

extension ReachTable {
    /// The reach as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        let totals = report.totals
        var figures: [PageFigure] = [
            .init(
                name: "targeted", value: text(totals.targeted), detail: "installations", id: "targeted"),
            .init("reached", totals.reach, of: "targeted", prefix: nearly, ink: .confirmed),
            .init(
                "engaged", totals.engagement, of: "reached", prefix: nearly,
                ink: .clicked),
        ]
        if let audienceReach = report.audienceReach {
            figures.append(
                .init(
                    rate: "audience reach", audienceReach, of: "in the present audience", ink: .confirmed,
                    id: "audience_reach"))
        }
        return HTMLPage(
            page, headline: headline, figures: figures, charts: charts,
            terms: ["audience", "targeted", "reached", "engaged", "reach", "audience_reach"])
    }

    private var headline: String {
        let totals = report.totals
        guard totals.targeted > 0 else { return "No installation was sent a notification in this window." }
        return
            "\(text(totals.reached)) of \(text(totals.targeted)) targeted installations were reached "
            + "(\(Headline.share(totals.reach))), and \(text(totals.engaged)) of them clicked."
    }

    /// Precedes estimated numbers.
    private var nearly: String { isEstimate ? style.nearly : "" }

    /// Distinct installations of two dimensions cannot be added up, so such rows are only in the table.
    private var charts: [HTMLSection] {
        guard report.frame.query.by.count == 1, let dimension = report.frame.query.by.first else { return [] }
        return dimension.isPeriod ? overTime(dimension) : []
    }

    private func overTime(_ period: Dimension) -> [HTMLSection] {
        let query = report.frame.query
        let known = Dictionary(
            report.rows.map { ($0.key.parts.first?.value ?? "", $0.counts) },
            uniquingKeysWith: { first, _ in first })
        let axis = PeriodAxis.values(of: period, in: query.window, query.timeZone, asOf: report.frame.asOf)
        guard axis.count > 1, axis.count <= 1_500 else { return [] }
        let columns = axis.map { value in
            let counts = known[value]
            return ColumnChart.Column(
                name: RowKey.Part(period, value).text, label: BreakdownCharts.label(value, period),
                layers: [
                    .init(name: "targeted", count: counts?.targeted ?? 0, ink: .attempted),
                    .init(name: "reached", count: counts?.reached ?? 0, ink: .confirmed),
                    .init(name: "engaged", count: counts?.engaged ?? 0, ink: .clicked),
                ])
        }
        return [
            .columns(
                ColumnChart(
                    title: "By \(period.words) of sending",
                    caption:
                        "Distinct installations of each \(period.words): targeted, reached, engaged. Their sum is not a reach.",
                    columns: columns, prefix: nearly))
        ]
    }
}
