internal import DeliveryModel
internal import Instants
package import Reports
internal import Wording

extension HTMLPage {
    /// The campaigns of a window, in the order of the report's rows.
    ///
    /// - Parameter report: broken down by campaign.
    package init(campaignsIn report: FunnelReport) {
        let page = report.htmlPage
        let named = report.rows.filter { $0.key.parts.first?.value != nil }
        let count = Words.count(Int64(named.count), "campaign", "campaigns")
        let sent = Words.count(
            named.reduce(0) { $0 + $1.counts[.attempted] }, "notification", "notifications")
        self.init(
            title: "Campaigns", subject: page.subject,
            headline: report.isEmpty ? page.headline : "\(count) sent \(sent).", facts: page.facts,
            sections: report.isEmpty ? page.sections : [.table(Self.campaigns(report))], terms: page.terms)
    }
}

extension HTMLPage {
    /// What extensions reported is on each campaign's own page; here it would push the clicks out of sight.
    private static func campaigns(_ report: FunnelReport) -> PageTable {
        let table = SheetTable(
            report.sheet, .page, without: ["reportable", "arrived_reportable", "arrival"]
        ).table
        return PageTable(table, caption: "Campaigns")
    }
}

/// Everything about one campaign on one page.
package struct CampaignPage {
    let name: String
    /// The funnel of the campaign alone.
    let funnel: FunnelReport
    /// The funnel by hour or day, from the first notification to the last.
    let course: FunnelReport
    let variants: FunnelReport
    let builds: FunnelReport
    let rejections: RejectionsReport
    let latency: LatencyReport
    /// Another campaign to compare with.
    let other: (name: String, funnel: FunnelReport)?

    package init(
        _ name: String, funnel: FunnelReport, course: FunnelReport, variants: FunnelReport,
        builds: FunnelReport, rejections: RejectionsReport, latency: LatencyReport,
        other: (name: String, funnel: FunnelReport)?
    ) {
        (self.name, self.funnel, self.course, self.other) = (name, funnel, course, other)
        (self.variants, self.builds) = (variants, builds)
        (self.rejections, self.latency) = (rejections, latency)
    }

    package var htmlPage: HTMLPage {
        let page = HTMLPage(funnel.sheet, coursesOf: course.sheet)
        guard !funnel.isEmpty else { return page }
        let arrivals = ArrivalCurve(latency.totals.arrival, accepted: funnel.totals[.accepted]).section
        return HTMLPage(
            title: "Campaign", subject: name, headline: page.headline, facts: page.facts,
            sections: page.sections(.stages) + comparison + [arrivals].compactMap(\.self)
                + course.htmlPage.sections(.lines) + table(of: variants, "Variants")
                + (VariantTable(variants.variantComparisons, .page)?.htmlSections ?? [])
                + latency.htmlPage.sections(.histogram).suffix(1) + rejections.htmlPage.sections(.bars)
                + table(of: builds, "App versions"),
            terms: page.terms)
    }

    private var comparison: [HTMLSection] {
        guard let other else { return [] }
        let shown: Set = ["attempted", "accepted", "reportable", "arrived", "confirmed", "clicked"]
        let change = FiguresChange(
            from: other.funnel.totalFigures.withCounts(shown), to: funnel.totalFigures.withCounts(shown))
        let table = ComparisonTable.totals(change, columns: [other.name, name, "Difference"], .page)
        return [.table(PageTable(table, caption: "Compared with \(other.name)"))]
    }

    private func table(of report: FunnelReport, _ caption: String) -> [HTMLSection] {
        report.rows.count > 1
            ? [.table(PageTable(SheetTable(report.sheet, .page).table, caption: caption))] : []
    }
}

/// How many notifications had arrived within a time since they were sent.
struct ArrivalCurve {
    private let arrivals: LatencyHistogram
    private let accepted: Int64

    init(_ arrivals: LatencyHistogram, accepted: Int64) {
        (self.arrivals, self.accepted) = (arrivals, accepted)
    }

    private static let seconds: [Int64] = [
        1, 2, 5, 15, 30, 60, 5 * 60, 15 * 60, 3_600, 3 * 3_600, 12 * 3_600, 86_400, 3 * 86_400,
    ]

    /// `nil` if no arrival has a known time.
    var section: HTMLSection? {
        guard arrivals.count > 0 else { return nil }
        let columns = Self.seconds.map { seconds -> Histogram.Column in
            let span = Span(milliseconds: seconds * 1_000)
            let count = arrivals.count(within: span)
            let share = Proportion(count, of: accepted).value.map { ", \(percent($0)) % of accepted" } ?? ""
            return .init(name: "within \(span.shortWords)\(share)", label: span.shortWords, count: count)
        }
        return .histogram(
            Histogram(
                title: "Arrivals since sending",
                caption:
                    "How many of \(grouped(accepted)) accepted notifications had arrived within each time. "
                    + "Arrivals without a known time are left out.",
                columns: columns, ink: .confirmed, unit: "arrived"))
    }
}
