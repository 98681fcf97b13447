internal import Access
internal import DeliveryModel
internal import Instants
internal import Reports
internal import Wording

extension LatencyTable {
    /// The latencies as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Latency") }
        let figures = LatencyStage.allCases.flatMap { stage in
            LatencyQuantile.allCases.map { quantile in
                PageFigure(
                    name: "\(title(of: stage)), \(quantile.title)",
                    value: text(quantile, report.totals[stage]),
                    detail: "of \(grouped(report.totals[stage].count)) notifications",
                    ink: stage == .arrival ? .confirmed : .clicked,
                    id: "\(stage.rawValue)_\(quantile.rawValue)")
            }
        }
        let charts = LatencyStage.allCases.map { HTMLSection.histogram(histogram(of: $0)) }
        return HTMLPage(
            title: "Latency", subject: report.frame.query.app.slug, headline: headline,
            facts: heading.facts(.page),
            sections: [.figures(figures.compared(comparison))] + [comparison?.htmlNote].compactMap(\.self)
                + charts
                + [.table(PageTable(table))] + (comparison?.htmlSections ?? []) + [.remarks(remarks)]
                + CompletenessLine.sections(report.completeness, .page).map(HTMLSection.words),
            terms: Metric.all.filter {
                (LatencyQuantile.allCases.map(\.rawValue) + ["arrived", "clicked"]).contains($0.id)
            })
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
