internal import Reports

extension ReachTable {
    /// The reach as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Reach") }
        return HTMLPage(
            page, headline: headline, courses: courses, charts: charts,
            terms: ["audience", "targeted", "reached", "engaged", "reach", "audience_reach"])
    }

    private var headline: String {
        let totals = report.totals
        guard totals.targeted > 0 else { return "No installation was sent a notification in this window." }
        return
            "\(text(totals.reached)) of \(text(totals.targeted)) targeted installations were reached "
            + "(\(Headline.share(totals.reach))), and \(text(totals.engaged)) of them clicked."
    }

    private static var series: [(name: String, ink: Ink, count: KeyPath<ReachReport.Counts, Int64>)] {
        [
            ("targeted", .attempted, \.targeted), ("reached", .confirmed, \.reached),
            ("engaged", .clicked, \.engaged),
        ]
    }

    /// Distinct installations of two dimensions cannot be added up, so such rows are only in the table.
    private var periods: (axis: TimeAxis, counts: [ReachReport.Counts?])? {
        let by = report.frame.query.by
        guard by.count == 1, by[0].isPeriod, let axis = TimeAxis(report.frame, by[0]) else { return nil }
        let known = Dictionary(
            report.rows.map { ($0.key.parts.first?.value ?? "", $0.counts) },
            uniquingKeysWith: { first, _ in first })
        return (axis, axis.values.map { known[$0] })
    }

    private var courses: [String: [Int64]] {
        guard let periods else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: Self.series.map { series in
                (series.name, periods.counts.map { $0?[keyPath: series.count] ?? 0 })
            })
    }

    private var charts: [HTMLSection] {
        guard let periods else { return [] }
        let words = periods.axis.period.words
        let lines = Self.series.map { series in
            LineChart.Series(
                name: series.name, ink: series.ink,
                points: periods.counts.map {
                    .init($0?[keyPath: series.count] ?? 0, prefix: isEstimate ? style.nearly : "")
                })
        }
        return [
            .lines(
                LineChart(
                    title: "By \(words) of sending",
                    caption: "Distinct installations of each \(words). Their sum is not a reach.",
                    axis: periods.axis, series: lines, table: PageTable(page.table)))
        ]
    }
}
