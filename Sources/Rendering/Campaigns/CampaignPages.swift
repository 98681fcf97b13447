internal import DeliveryModel
package import Reports
internal import Wording

extension HTMLPage {
    /// The campaigns of a window, in the order of the report's rows.
    ///
    /// - Parameter report: broken down by campaign.
    package init(campaignsIn report: FunnelReport) {
        let page = report.htmlPage
        let count = Words.count(Int64(report.rows.count), "campaign", "campaigns")
        let sent = Words.count(report.totals[.attempted], "notification", "notifications")
        self.init(
            title: "Campaigns", subject: page.subject,
            headline: report.isEmpty
                ? page.headline
                : "\(count) sent \(sent).",
            facts: page.facts, sections: report.isEmpty ? page.sections : page.sections.filter(\.isTable),
            terms: page.terms)
    }
}

/// Everything about one campaign on one page.
package struct CampaignPage {
    /// Of the campaign alone.
    let funnel: FunnelReport
    let course: FunnelReport
    let variants: FunnelReport
    let builds: FunnelReport
    let rejections: RejectionsReport
    let latency: LatencyReport

    package init(
        funnel: FunnelReport, course: FunnelReport, variants: FunnelReport, builds: FunnelReport,
        rejections: RejectionsReport, latency: LatencyReport
    ) {
        (self.funnel, self.course, self.variants, self.builds) = (funnel, course, variants, builds)
        (self.rejections, self.latency) = (rejections, latency)
    }

    package func htmlPage(named name: String) -> HTMLPage {
        let page = funnel.htmlPage
        guard !funnel.isEmpty else { return page }
        let stages = page.sections.filter { section in
            if case .stages = section { return true }
            return false
        }
        let course = self.course.htmlPage.sections.filter { section in
            if case .lines = section { return true }
            return false
        }
        let variants = self.variants.rows.count > 1 ? self.variants.tables(named: "Variants") : []
        let builds = self.builds.rows.count > 1 ? self.builds.tables(named: "App versions") : []
        let rejected = rejections.htmlPage.sections.filter { section in
            if case .bars = section { return true }
            return false
        }
        let times = latency.htmlPage.sections.filter { section in
            if case .histogram = section { return true }
            return false
        }
        return HTMLPage(
            title: "Campaign", subject: name, headline: page.headline, facts: page.facts,
            sections: stages + course + variants + times + rejected + builds, terms: page.terms)
    }
}

extension FunnelReport {
    fileprivate func tables(named caption: String) -> [HTMLSection] {
        htmlPage.sections.compactMap { section in
            guard case .table(let table) = section else { return nil }
            return .table(PageTable(caption: caption, columns: table.columns, rows: table.rows))
        }
    }
}

extension HTMLSection {
    fileprivate var isTable: Bool {
        guard case .table = self else { return false }
        return true
    }
}
