internal import Access
internal import DeliveryModel
internal import Reports

extension LossTable {
    /// The losses as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Loss") }
        let names = Set(steps.map { $0.name.drop { $0 == " " } })
        return HTMLPage(
            title: "Loss", subject: report.frame.query.app.slug,
            headline: [headline, comparison?.sentence].compactMap(\.self).joined(separator: " "),
            facts: ReportHeading(frame: report.frame, title: "Loss").facts(.page),
            sections: [comparison?.htmlNote].compactMap(\.self) + [
                .bars(waterfall), .table(PageTable(table)),
            ] + (comparison?.htmlSections ?? [])
                + CompletenessLine.sections(report.completeness, .page).map(HTMLSection.words)
                + [.remarks(remarks.filter { !names.contains($0.name[...]) })],
            terms: Metric.all.filter {
                Loss.allCases.map(\.rawValue).contains($0.id) || Self.terms.contains($0.id)
            })
    }

    /// The steps with the meaning and the change of each.
    private var waterfall: BarChart {
        var chart = BarChart(WaterfallPicture(steps))
        chart.bars = chart.bars.map { bar in
            var bar = bar
            let name = String(bar.name.drop { $0 == " " })
            bar.note = Loss.allCases.first { $0.title == name }?.meaning ?? ""
            let id = name.replacing(" ", with: "_")
            bar.change = comparison?.change(of: id) ?? comparison?.change(of: "rejected_\(id)")
            return bar
        }
        return chart
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
