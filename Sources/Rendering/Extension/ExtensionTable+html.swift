internal import Access
internal import DeliveryModel
internal import Reports

extension ExtensionTable {
    /// The health of extensions as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Extension") }
        let totals = report.totals
        let figures: [PageFigure] = [
            .init(
                name: "reportable", value: grouped(totals[.reportable]), detail: "could have been reported"),
            .init(
                rate: "arrival, at least", Rate.arrival.proportion(in: totals), of: "reportable",
                prefix: "≥ ", ink: .confirmed),
            .init(
                "lost receipts", Rate.receiptLoss.proportion(in: totals), of: "other sightings", ink: .trouble
            ),
        ]
        return HTMLPage(
            title: "Extension", subject: report.frame.query.app.slug, headline: headline,
            facts: ReportHeading(frame: report.frame, title: "Extension").facts(.page),
            sections: [.figures(figures), .table(PageTable(table)), .remarks(remarks)]
                + CompletenessLine.sections(report.completeness, .page).map(HTMLSection.words),
            terms: Metric.all.filter { Self.terms.contains($0.id) })
    }

    private static let terms: Set = ["reportable", "arrived", "arrival", "confirmed_unreported"]

    private var headline: String {
        let arrival = Rate.arrival.proportion(in: report.totals)
        guard arrival.denominator > 0 else { return "No arrival in this window could have been reported." }
        return
            "Extensions reported \(Headline.share(arrival)) of the \(grouped(arrival.denominator)) notifications that they could "
            + "have reported."
    }
}
