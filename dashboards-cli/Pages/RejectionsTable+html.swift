internal import DeliveryModel
internal import Reports

extension RejectionsTable {
    /// The rejections as a page; for a table in the page's style.
    var htmlPage: HTMLPage {
        let figures: [PageFigure] = [
            .init(name: "attempted", value: grouped(report.totals[.attempted]), detail: "notifications sent"),
            .init("rejected", report.share, of: "attempted", ink: .trouble),
        ]
        return HTMLPage(
            page, figures: figures, charts: [.bars(answers)] + [.text(Array(advice.dropFirst()))],
            terms: RejectionClass.allCases.map { "rejected_\($0.rawValue)" } + ["attempted", "unmatched"])
    }

    /// What providers said, the most frequent first, whatever it was said about.
    private var answers: BarChart {
        var counts: [String: Int64] = [:]
        for row in report.rows { counts[row.answer.words, default: 0] += row.rejected }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20)
        let largest = Double(max(1, sorted.first?.value ?? 1))
        return BarChart(
            title: "Rejected by answer", caption: "Notifications, by what the provider answered.",
            bars: sorted.map { answer, count in
                .init(
                    name: answer, value: grouped(count),
                    layers: [.init(to: Double(count) / largest, ink: .trouble)])
            })
    }
}
