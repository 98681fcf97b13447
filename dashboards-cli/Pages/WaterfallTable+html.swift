internal import Access
internal import DeliveryModel
internal import Reports

extension WaterfallTable {
    /// The waterfall as a page; for a table in the page's style.
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
            title: "Waterfall", subject: report.app.slug, facts: facts,
            sections: [
                .figures(figures), .bars(BarChart(picture)), .columns(columns), .table(PageTable(table)),
                .remarks(Array(remarks.dropFirst())),
            ], terms: [])
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
    /// What there was, then each gain and loss where the one before it ended.
    init(_ picture: WaterfallPicture) {
        let span = Double(max(1, picture.top - picture.axis))
        let beginning = picture.axis > 0 ? " Bars begin at \(grouped(picture.axis)), not at 0." : ""
        self.init(
            title: "From start to end",
            caption: "Each gain and loss begins where the one before it ended.\(beginning)",
            bars: picture.steps.map { step in
                let (low, high) = (
                    min(step.from ?? picture.axis, step.to), max(step.from ?? picture.axis, step.to)
                )
                return Bar(
                    name: step.name, value: step.text,
                    layers: [
                        Layer(
                            from: Double(low - picture.axis) / span, to: Double(high - picture.axis) / span,
                            ink: step.ink)
                    ])
            },
            table: PageTable(
                caption: "The steps as a table",
                columns: [
                    .init(title: "Step", isNumber: false, isKey: true),
                    .init(title: "Count", isNumber: true, isKey: false),
                ],
                rows: picture.steps.map { [.init(text: $0.name, ink: nil), .init(text: $0.text, ink: nil)] }),
            isWide: true)
    }
}
