internal import DeliveryModel
package import Reports

extension HTMLPage {
    /// The campaigns of a window, in the order of the report's rows.
    ///
    /// What extensions reported is on each campaign's own page; here it would push the clicks out of sight.
    ///
    /// - Parameter report: broken down by campaign.
    package init(campaignsIn report: FunnelReport) {
        let page = report.htmlPage
        let named = report.rows.filter { $0.key.parts.first?.value != nil }
        let count = Words.count(Int64(named.count), "campaign", "campaigns")
        let sent = Words.count(
            named.reduce(0) { $0 + $1.counts[.attempted] }, "notification", "notifications")
        let table = SheetTable(report.sheet, .page, without: ["reportable", "arrived_reportable", "arrival"])
        self.init(
            title: "Campaigns", subject: page.subject,
            headline: report.isEmpty ? page.headline : "\(count) sent \(sent).", facts: page.facts,
            sections: report.isEmpty
                ? page.sections : [.table(PageTable(table.table, caption: "Campaigns"))], terms: page.terms)
    }

    /// Everything about one campaign.
    ///
    /// - Parameters:
    ///   - funnel: that of the campaign alone.
    ///   - course: the funnel by hour or day, from the first notification to the last.
    ///   - other: another campaign to compare with.
    package init(
        campaign name: String, funnel: FunnelReport, course: FunnelReport, variants: FunnelReport,
        builds: FunnelReport, rejections: RejectionsReport, latency: LatencyReport,
        other: (name: String, funnel: FunnelReport)?
    ) {
        let page = HTMLPage(funnel.sheet, coursesOf: course.sheet)
        guard !funnel.isEmpty else {
            self = page
            return
        }
        var sections = page.sections(.stages)
        if let other {
            let shown: Set = ["attempted", "accepted", "reportable", "arrived", "confirmed", "clicked"]
            let change = FiguresChange(
                from: other.funnel.totalFigures.withCounts(shown), to: funnel.totalFigures.withCounts(shown))
            let table = ComparisonTable.totals(change, columns: [other.name, name, "Difference"], .page)
            sections.append(.table(PageTable(table, caption: "Compared with \(other.name)")))
        }
        if let arrivals = Histogram(latency.totals.arrival, accepted: funnel.totals[.accepted]) {
            sections.append(.histogram(arrivals))
        }
        sections += course.htmlPage.sections(.lines) + Self.table(of: variants, "Variants")
        sections += VariantTable(variants.variantComparisons, .page)?.htmlSections ?? []
        sections += latency.htmlPage.sections(.histogram).suffix(1)
        sections += rejections.htmlPage.sections(.bars) + Self.table(of: builds, "App versions")
        self.init(
            title: "Campaign", subject: name, headline: page.headline, facts: page.facts, sections: sections,
            terms: page.terms)
    }

    private static func table(of report: FunnelReport, _ caption: String) -> [HTMLSection] {
        report.rows.count > 1
            ? [.table(PageTable(SheetTable(report.sheet, .page).table, caption: caption))] : []
    }
}

extension Histogram {
    private static let seconds: [Int64] = [
        1, 2, 5, 15, 30, 60, 5 * 60, 15 * 60, 3_600, 3 * 3_600, 12 * 3_600, 86_400, 3 * 86_400,
    ]

    /// How many notifications had arrived within a time after sending. `nil` if no arrival has a known time.
    fileprivate init?(_ arrivals: LatencyHistogram, accepted: Int64) {
        guard arrivals.count > 0 else { return nil }
        self.init(
            title: "Arrivals since sending",
            caption:
                "How many of \(grouped(accepted)) accepted notifications had arrived within each time. "
                + "Arrivals without a known time are left out.",
            columns: Self.seconds.map { seconds in
                let span = Span(milliseconds: seconds * 1_000)
                let count = arrivals.count(within: span)
                let share = Proportion(count, of: accepted).value.map { ", \(percent($0)) % of accepted" }
                return Column(
                    name: "within \(span.shortWords)\(share ?? "")", label: span.shortWords, count: count)
            }, ink: .confirmed, unit: "arrived")
    }
}
