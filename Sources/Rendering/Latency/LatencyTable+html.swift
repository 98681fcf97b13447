internal import Access
internal import DeliveryModel
internal import Instants
internal import Reports
internal import Wording

extension LatencyTable {
    /// The latencies as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Latency") }
        let stages = LatencyStage.allCases.flatMap { stage in
            [.figures(figures(of: stage).compared(comparison)), HTMLSection.histogram(histogram(of: stage))]
        }
        return HTMLPage(
            title: "Latency", subject: report.frame.query.app.slug, headline: headline,
            facts: heading.facts(.page),
            sections: [comparison?.htmlNote].compactMap(\.self) + stages + [.table(PageTable(table))]
                + (comparison?.htmlSections ?? [])
                + CompletenessLine.sections(report.completeness, .page).map(HTMLSection.words)
                + [.remarks(remarks)],
            terms: Metric.all.filter {
                (LatencyQuantile.allCases.map(\.rawValue) + ["arrived", "clicked"]).contains($0.id)
            })
    }

    private func figures(of stage: LatencyStage) -> [PageFigure] {
        guard report.totals[stage].count > 0 else { return [] }
        return LatencyQuantile.allCases.map { quantile in
            PageFigure(
                name: "\(title(of: stage)), \(quantile.title)", value: text(quantile, report.totals[stage]),
                detail: "\(quantile.share == 0.5 ? "half" : "\(Int(quantile.share * 100)) %") of "
                    + "\(grouped(report.totals[stage].count)) notifications took at most this",
                ink: stage == .arrival ? .confirmed : .clicked,
                id: "\(stage.rawValue)_\(quantile.rawValue)", course: course(quantile, of: stage))
        }
    }

    /// In milliseconds, if the report is broken down by time alone; 0 in a period without a known time.
    private func course(_ quantile: LatencyQuantile, of stage: LatencyStage) -> [Int64] {
        let by = report.frame.query.by
        guard by.count == 1, by[0].isPeriod, let axis = TimeAxis(report.frame, by[0]) else { return [] }
        let known = Dictionary(
            report.rows.map { ($0.key.parts.first?.value ?? "", $0.stages[stage]) },
            uniquingKeysWith: { first, _ in first })
        return axis.values.map { known[$0]?.quantile(quantile.share)?.milliseconds ?? 0 }
    }

    private var headline: String {
        let arrivals = report.totals.arrival
        guard arrivals.count > 0 else { return "No arrival with a known time in this window." }
        return
            "Half of the arrivals took at most \(text(.p50, arrivals)), and 99 of 100 at most \(text(.p99, arrivals))."
    }

    private func histogram(of stage: LatencyStage) -> Histogram {
        let picture = HistogramPicture(report.totals[stage])
        return Histogram(
            title: title(of: stage).prefix(1).uppercased() + title(of: stage).dropFirst(),
            caption:
                "Notifications by how long they took. Each column covers a longer range than the one before "
                + "it, by the same factor.",
            columns: picture.lines.map { line in
                .init(
                    name: HistogramPicture.name(line, .page),
                    label: line.from == 0 ? "0" : Span(milliseconds: line.from).shortWords,
                    count: line.notifications)
            }, ink: stage == .arrival ? .confirmed : .clicked, unit: "notifications")
    }
}
