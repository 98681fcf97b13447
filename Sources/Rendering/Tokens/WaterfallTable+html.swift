internal import Access
internal import DeliveryModel
internal import Reports

extension WaterfallTable {
    /// The waterfall as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        let picture = WaterfallPicture(report.total)
        let net = report.total.net
        let figures: [PageFigure] = [
            .init(name: "active at the start", value: grouped(report.total.start[.active])),
            .init(
                name: "net", value: (net > 0 ? "+" : "") + grouped(net),
                detail: remarks.first?.meaning ?? "", ink: net < 0 ? .trouble : .confirmed),
            .init(name: "active at the end", value: grouped(report.total.end[.active]), ink: .confirmed),
        ]
        return HTMLPage(
            title: "Waterfall", subject: report.app.slug, headline: headline, facts: facts,
            sections: [
                .figures(figures), .bars(BarChart(picture)), .columns(columns), .table(PageTable(table)),
                .remarks(Array(remarks.dropFirst())),
            ], terms: [])
    }

    private var headline: String {
        let (start, end) = (report.total.start[.active], report.total.end[.active])
        let (net, unit) = (report.total.net, report.unit.rawValue)
        return
            "\(grouped(start)) active \(unit) at the start, \(grouped(end)) at the end: \(net > 0 ? "+" : "")\(grouped(net))."
    }

    private var columns: ColumnChart {
        let unit = report.unit.rawValue
        return ColumnChart(
            title: "Active at the end of each \(report.window.by?.rawValue ?? "period")",
            caption: "Active \(unit).",
            columns: report.periods.map { period in
                let name = period.name ?? ""
                return .init(
                    name: name, label: BreakdownCharts.label(name, .day),
                    layers: [.init(name: "active", count: period.end[.active], ink: .confirmed)])
            })
    }
}

extension BarChart {
    /// The start level, then each gain and loss from where the one before it ended.
    init(_ picture: WaterfallPicture) {
        let span = Double(max(1, picture.top - picture.axis))
        let beginning = picture.axis > 0 ? " Bars begin at \(grouped(picture.axis)), not at 0." : ""
        self.init(
            title: "From start to end",
            caption: "Each gain or loss begins where the previous one ended.\(beginning)",
            bars: picture.steps.map { step in
                let (low, high) = (
                    min(step.from ?? picture.axis, step.to), max(step.from ?? picture.axis, step.to)
                )
                // The figure, and its share after spaces.
                let words = step.text.split(separator: " ", maxSplits: 1)
                return Bar(
                    name: step.name, value: String(words.first ?? ""),
                    detail: words.count > 1 ? String(words[1].drop { $0 == " " }) : "",
                    layers: [
                        Layer(
                            from: Double(low - picture.axis) / span, to: Double(high - picture.axis) / span,
                            ink: step.ink)
                    ])
            }, headings: .init(name: "Step", value: "Count", detail: "Share"), isWide: true)
    }
}
