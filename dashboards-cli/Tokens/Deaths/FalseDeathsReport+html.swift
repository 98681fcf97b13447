internal import DeliveryModel
internal import Rendering
internal import Reports
internal import TokenLifecycle

extension FalseDeathsReport {
    var htmlPage: HTMLPage {
        let rows = deaths.rows
        let all = Proportion(
            rows.reduce(0) { $0 + $1.cameBack }, of: rows.reduce(0) { $0 + $1.retired })
        let figures: [PageFigure] = [
            .init(name: "retired", value: grouped(all.denominator), detail: "tokens"),
            .init("came back", all, of: "retired", ink: .trouble),
        ]
        return HTMLPage(
            title: "False deaths", subject: app,
            headline: all.denominator > 0
                ? "\(grouped(all.numerator)) of \(grouped(all.denominator)) retired tokens came back: \(Headline.share(all))."
                : Self.nothing,
            facts: facts(.page),
            sections: [
                .figures(figures), .bars(chart),
                .table(PageTable(table(.page), isFolded: true)), .note(Self.caution),
            ])
    }

    private var chart: BarChart {
        let highest = deaths.rows.compactMap { $0.rate.interval?.upperBound }.max() ?? 1
        let full = min(1, max(highest, 0.001))
        return BarChart(
            title: "Came back, by rule",
            caption:
                "The share of the tokens that a rule retired, with the 95 % interval (Wilson). A full bar is \(percent(full)) %.",
            bars: deaths.rows.map { row in
                let share = row.rate.value.map { "\(percent($0)) %" } ?? OutputStyle.page.nothing
                return .init(
                    name: row.rule, value: "\(share) of \(grouped(row.retired))",
                    layers: [.init(to: (row.rate.value ?? 0) / full, ink: .trouble)],
                    interval: row.rate.interval.map {
                        ($0.lowerBound / full)...min(1, $0.upperBound / full)
                    })
            }, headings: .init(name: "Rule", value: "Share"), isWide: true)
    }
}
