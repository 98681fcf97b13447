internal import Access
internal import DeliveryModel
internal import Reports

extension LossTable {
    /// The losses as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        let counts = report.totals.counts
        let figures: [PageFigure] = [
            .init(
                name: "attempted", value: grouped(counts[.attempted]), detail: "notifications sent",
                id: "attempted"),
            .init("accepted", Rate.acceptance.proportion(in: counts), of: "attempted", ink: .accepted),
            .init(
                "confirmed", Proportion(counts[.confirmed], of: counts[.accepted]), of: "accepted",
                ink: .confirmed),
            .init(
                "unexplained", Proportion(report.totals[.unexplained] ?? 0, of: counts[.accepted]),
                of: "accepted",
                ink: .trouble),
            .init("clicked", Rate.clickThrough.proportion(in: counts), of: "confirmed", ink: .clicked),
        ]
        return HTMLPage(
            title: "Loss", subject: report.frame.query.app.slug, headline: headline,
            facts: ReportHeading(frame: report.frame, title: "Loss").facts(.page),
            sections: [
                .figures(figures.compared(comparison))
            ] + [comparison?.htmlNote].compactMap(\.self) + [
                .bars(BarChart(WaterfallPicture(steps))), .table(PageTable(table)),
            ] + (comparison?.htmlSections ?? []) + [.remarks(remarks)]
                + CompletenessLine.sections(report.completeness, .page).map(HTMLSection.words),
            terms: Metric.all.filter {
                Loss.allCases.map(\.rawValue).contains($0.id) || Self.terms.contains($0.id)
            })
    }

    /// The number of notifications lost, and the largest loss.
    private var headline: String {
        let counts = report.totals.counts
        guard counts[.attempted] > 0 else { return "Nothing was sent in this window." }
        let lost = Proportion(counts[.attempted] - counts[.confirmed], of: counts[.attempted])
        let sentence =
            "No device confirmed \(grouped(lost.numerator)) of \(grouped(lost.denominator)) notifications "
            + "(\(Headline.share(lost)))"
        let losses =
            counts.rejectionsByClass.map { ("rejected as \($0.name)", $0.count) }
            + Loss.allCases.map { ($0.title, report.totals[$0] ?? 0) }
        guard let largest = losses.max(by: { $0.1 < $1.1 }), largest.1 > 0 else { return sentence + "." }
        return "\(sentence). The largest loss: \(largest.0), \(grouped(largest.1))."
    }

    private static let terms: Set = ["attempted", "accepted", "confirmed", "clicked", "unmatched"]
}
