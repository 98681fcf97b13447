internal import Access
internal import DeliveryModel
internal import Reports

extension LossTable {
    /// The losses as a page; for a table in the page's style.
    var htmlPage: HTMLPage {
        let counts = report.totals.counts
        let figures: [PageFigure] = [
            .init(name: "attempted", value: grouped(counts[.attempted]), detail: "notifications sent"),
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
            title: "Loss", subject: report.frame.query.app.slug,
            facts: ReportHeading(frame: report.frame, title: "Loss").facts(.page),
            sections: [
                .figures(figures), .bars(BarChart(WaterfallPicture(steps))), .table(PageTable(table)),
                .remarks(remarks),
            ] + CompletenessLine.sections(report.completeness, .page).map(HTMLSection.words)
                + (comparison?.htmlSections ?? []),
            terms: Metric.all.filter {
                Loss.allCases.map(\.rawValue).contains($0.id) || Self.terms.contains($0.id)
            })
    }

    private static let terms: Set = ["attempted", "accepted", "confirmed", "clicked", "unmatched"]
}
