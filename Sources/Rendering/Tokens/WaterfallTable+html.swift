internal import Access
internal import DeliveryModel
internal import Reports

extension WaterfallTable {
    /// The waterfall as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        let byTime = course.map { [HTMLSection.lines($0)] } ?? [.table(PageTable(table))]
        return HTMLPage(
            title: "Waterfall", subject: report.app.slug, headline: headline, facts: facts,
            sections: [
                .bars(BarChart(WaterfallPicture(report.total)))
            ] + byTime + [.remarks(remarks)], terms: [])
    }

    private var headline: String {
        let (start, end) = (report.total.start[.active], report.total.end[.active])
        let (net, unit) = (report.total.net, report.unit.rawValue)
        return
            "\(grouped(start)) active \(unit) at the start, \(grouped(end)) at the end: \(net > 0 ? "+" : "")\(grouped(net))."
    }

    /// The active ones at the end of each period; `nil` if there are fewer than two periods.
    private var course: LineChart? {
        let (unit, window) = (report.unit.rawValue, report.window)
        let axis = TimeAxis(window.by == .week ? .week : .day, report.periods.map { $0.name ?? "" }) {
            instant in
            instant < window.to ? window.bounds.lastIndex { $0 <= instant } : nil
        }
        return axis.map { axis in
            LineChart(
                title: "Active at the end of each \(axis.period.words)", caption: "Active \(unit).",
                axis: axis,
                series: [
                    .init(
                        name: "active", ink: .confirmed, points: report.periods.map { .init($0.end[.active]) }
                    )
                ], table: PageTable(table))
        }
    }
}

extension BarChart {
    /// The start level, then each gain and loss from where the one before it ended.
    init(_ picture: WaterfallPicture, _ comparison: ComparisonTable? = nil) {
        let span = Double(max(1, picture.top - picture.axis))
        let beginning = picture.axis > 0 ? " Bars begin at \(grouped(picture.axis)), not at 0." : ""
        self.init(
            title: "From start to end",
            caption: "Each gain or loss begins where the previous one ended.\(beginning)",
            bars: picture.steps.map { step in
                let (low, high) = (
                    min(step.from ?? picture.axis, step.to), max(step.from ?? picture.axis, step.to)
                )
                var bar = Bar(
                    name: step.name, value: step.figure, detail: step.shareText,
                    layers: [
                        Layer(
                            from: Double(low - picture.axis) / span, to: Double(high - picture.axis) / span,
                            ink: step.ink)
                    ])
                bar.isLevel = step.from == nil
                bar.note = step.meaning
                bar.growth = comparison?.change(of: step.id)
                return bar
            }, headings: .init(name: "Step", value: "Count", detail: "Share"), isWide: true)
    }
}
