internal import DeliveryModel
internal import Reports
internal import Wording

/// `landfall latency` as text: quantiles, a histogram of each stage, and a table if there is a breakdown.
struct LatencyTable {
    let report: LatencyReport
    let style: OutputStyle

    init(_ report: LatencyReport, _ style: OutputStyle) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        var lines = heading.lines(style)
        for stage in LatencyStage.allCases { lines += [""] + picture(of: stage) }
        lines += [""] + Remark.lines(remarks, style, nameWidth: remarks.map(\.name.count).max() ?? 0)
        if !report.rows.isEmpty { lines += [""] + table.lines(style) }
        let completeness = CompletenessLine.sections(report.completeness, style)
        for section in completeness + [comparison?.lines].compactMap(\.self) { lines += [""] + section }
        return lines
    }

    /// The comparison, with only the times in its rows.
    var comparison: ComparisonTable? {
        let times = report.totals.figures.counts.filter { $0.unit == .milliseconds }.map(\.id)
        return ComparisonTable(report.comparison, report.frame.query, inRows: times, style)
    }

    var heading: ReportHeading {
        ReportHeading(
            frame: report.frame, title: "Latency",
            rates: "the times that half, 90 % and 99 % took at most, each accurate to 4.9 %")
    }

    private func picture(of stage: LatencyStage) -> [String] {
        let histogram = report.totals[stage]
        let quantiles = LatencyQuantile.allCases.map { "\($0.title) \(text($0, histogram))" }
        let summary = "\(grouped(histogram.count)) notifications, \(quantiles.joined(separator: ", "))"
        let name = title(of: stage)
        let painted = style.paint(name, .title)
        let fits = displayWidth(name) + displayWidth(summary) + 4 <= style.width ?? .max
        let heading =
            fits ? ["  \(painted)  \(summary)"] : ["  \(painted)"] + folded(summary, indentation: 4, style)
        return heading
            + HistogramPicture(histogram).text(stage == .arrival ? .confirmed : .clicked, style)
    }

    func title(of stage: LatencyStage) -> String {
        switch stage {
        case .arrival: "sent \(style.arrow) arrived"
        case .click: "arrived \(style.arrow) clicked"
        }
    }

    var remarks: [Remark] {
        let (arrived, clicked) = (report.counts[.arrived], report.counts[.clicked])
        return [
            Remark(
                name: "arrived", value: grouped(arrived),
                meaning: "of which \(grouped(report.totals.arrival.count)) have a known time"),
            Remark(
                name: "clicked", value: grouped(clicked),
                meaning:
                    "of which \(grouped(report.totals.click.count)) reported their arrival too, with both times known"
            ),
        ] + receipts + Remark.unmatched(report.unmatched)
    }

    /// Only if there are any: their times include the wait for a network.
    private var receipts: [Remark] {
        guard report.totals.arrivalsByReceipt > 0 else { return [] }
        return [
            Remark(
                name: "by receipt", value: grouped(report.totals.arrivalsByReceipt),
                meaning: "arrivals without occurred_at: timed by the receipt of the event")
        ]
    }

    var table: TextTable {
        var columns = Dimension.columns(report.frame.query.by)
        for (group, stage) in LatencyStage.allCases.enumerated() {
            columns.append(.init(stage == .arrival ? "Arrived" : "Clicked", group: group + 1))
            columns += LatencyQuantile.allCases.map {
                .init("\(stage.rawValue) \($0.title)", group: group + 1)
            }
        }
        var table = TextTable(columns)
        table.rows = report.rows.map { $0.key.cells() + cells($0.stages) }
        table.totals = Remark.totals(report.frame.query.by) + cells(report.totals)
        return table
    }

    private func cells(_ stages: LatencyReport.Stages) -> [TextTable.Cell] {
        LatencyStage.allCases.flatMap { stage -> [TextTable.Cell] in
            let ink: Ink = stage == .arrival ? .confirmed : .clicked
            return [.init(grouped(stages[stage].count))]
                + LatencyQuantile.allCases.map { .init(text($0, stages[stage]), style.usesColor ? ink : nil) }
        }
    }

    func text(_ quantile: LatencyQuantile, _ histogram: LatencyHistogram) -> String {
        histogram.quantile(quantile.share)?.roundedWords ?? style.nothing
    }
}

extension LatencyQuantile {
    var title: String {
        switch self {
        case .p50: "p50"
        case .p90: "p90"
        case .p99: "p99"
        }
    }
}
