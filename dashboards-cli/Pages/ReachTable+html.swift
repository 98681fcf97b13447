internal import DeliveryModel
internal import Reports

extension ReachTable {
    /// The reach as a page; for a table in the page's style.
    var htmlPage: HTMLPage {
        let totals = report.totals
        var figures: [PageFigure] = [
            .init(name: "targeted", value: text(totals.targeted), detail: "installations"),
            .init("reached", totals.reach, of: "targeted", prefix: nearly, ink: .confirmed),
            .init(
                "engaged", totals.engagement, of: "reached", prefix: nearly,
                ink: .clicked),
        ]
        if let audienceReach = report.audienceReach {
            figures.append(
                .init(
                    rate: "audience reach", audienceReach, of: "in the present audience", ink: .confirmed))
        }
        return HTMLPage(
            page, figures: figures, charts: charts,
            terms: ["audience", "targeted", "reached", "engaged", "reach", "audience_reach"])
    }

    /// In front of numbers that were not counted one by one.
    private var nearly: String { isEstimate ? style.nearly : "" }

    /// Distinct installations of two dimensions cannot be added up: such rows stand in the table only.
    private var charts: [HTMLSection] {
        guard report.frame.query.by.count == 1, let dimension = report.frame.query.by.first else { return [] }
        return dimension.isPeriod ? overTime(dimension) : byName(dimension)
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
                        "Distinct installations of each \(period.words): targeted, reached, engaged. Their sum is no reach.",
                    columns: columns, prefix: nearly))
        ]
    }

    private func byName(_ dimension: Dimension) -> [HTMLSection] {
        let shown = report.rows.sorted { $0.counts.targeted > $1.counts.targeted }.prefix(20)
        guard shown.count > 1, let largest = shown.first.map({ Double(max(1, $0.counts.targeted)) }) else {
            return []
        }
        let bars = shown.map { row in
            let counts = row.counts
            let layers: [BarChart.Layer] = [
                .init(to: Double(counts.targeted) / largest, ink: .attempted),
                .init(to: Double(counts.reached) / largest, ink: .confirmed),
                .init(to: Double(counts.engaged) / largest, ink: .clicked),
            ]
            let reach = counts.reach.value.map { "\(percent($0)) % of " } ?? ""
            return BarChart.Bar(
                name: row.key.parts.first?.text ?? "", value: "\(reach)\(text(counts.targeted))",
                layers: layers)
        }
        let left =
            report.rows.count > shown.count ? " The \(shown.count) largest of \(report.rows.count)." : ""
        return [
            .bars(
                BarChart(
                    title: "By \(dimension.words)",
                    caption: "Distinct installations: targeted, reached, engaged. The share is reach.\(left)",
                    bars: Array(bars),
                    legend: [
                        .init(name: "targeted", ink: .attempted), .init(name: "reached", ink: .confirmed),
                        .init(name: "engaged", ink: .clicked),
                    ]))
        ]
    }
}
