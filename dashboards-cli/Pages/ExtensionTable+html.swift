internal import Access
internal import DeliveryModel
internal import Reports

extension ExtensionTable {
    /// The health of extensions as a page; for a table in the page's style.
    var htmlPage: HTMLPage {
        let totals = report.totals
        let figures: [PageFigure] = [
            .init(
                name: "reportable", value: grouped(totals[.reportable]), detail: "could have been reported"),
            .init(
                rate: "arrival, at least", Rate.arrival.proportion(in: totals), of: "reportable",
                prefix: "≥ ", ink: .confirmed),
            .init(
                "lost receipts", Rate.receiptLoss.proportion(in: totals), of: "reactions", ink: .trouble),
        ]
        return HTMLPage(
            title: "Extension", subject: report.frame.query.app.slug,
            facts: ReportHeading(frame: report.frame, title: "Extension").facts(.page),
            sections: [.figures(figures), .bars(versions), .table(PageTable(table)), .remarks(remarks)]
                + CompletenessLine.sections(report.completeness, .page).map(HTMLSection.words),
            terms: Metric.all.filter { Self.terms.contains($0.id) })
    }

    private static let terms: Set = ["reportable", "arrived", "arrival", "confirmed_unreported"]

    /// The versions with most to report, in the order of the table.
    private var versions: BarChart {
        let counted = report.rows.filter { $0.counts[.reportable] > 0 }
        let least = counted.map { $0.counts[.reportable] }.sorted(by: >).prefix(20).last ?? 0
        return BarChart(
            title: "Arrival by version",
            caption: "arrived of reportable, with the 95 % interval (Wilson). A full bar is 100 %.",
            bars: counted.filter { $0.counts[.reportable] >= least }.prefix(20).map { row in
                let rate = Rate.arrival.proportion(in: row.counts)
                return .init(
                    name: row.key.parts.map(\.text).joined(separator: " "),
                    value: rate.value.map { "\(percent($0)) % of \(grouped(rate.denominator))" } ?? "–",
                    layers: [.init(to: rate.value ?? 0, ink: .confirmed)], interval: rate.interval)
            }, isWide: true)
    }
}
