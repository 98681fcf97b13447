internal import Access
internal import Foundation
internal import Hummingbird
internal import Instants
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Wording

/// The campaigns of an app, and all about one of them.
struct CampaignPages: Sendable {
    let desk: ReportDesk

    private static let parameters = ["from", "to", "tz", "sort"]

    func addRoutes(to console: ConsoleRoutes) {
        console.page("apps/:app/campaigns") { try await list($0) }
        console.page("apps/:app/campaigns/:campaign") { try await campaign($0) }
    }

    /// The question of both pages: a month unless the address says otherwise.
    private func request(_ visit: Visit) throws -> ReportRequest {
        let parameters = visit.parameters.withoutEmptyFields
        try parameters.check(against: Self.parameters)
        return ReportRequest(
            from: try parameters.instant("from") ?? "30d", to: try parameters.instant("to"),
            timeZone: try parameters.one("tz"))
    }

    private func form(_ visit: Visit, _ accepted: [String] = parameters) -> Markup {
        let address = PageAddress(path: visit.path, visit.parameters)
        let asked = address.values("from").isEmpty ? address.setting("from", to: "30d") : address
        return FilterForm(accepted: accepted, address: asked).markup
    }

    private func list(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        var request = try request(visit)
        request.by = ["campaign"]
        let query = try request.query(for: app, now: visit.now)
        try desk.limits.check([query.window.from..<query.window.to])
        let order = RowOrder(
            sort: try visit.parameters.one("sort").flatMap { $0.isEmpty ? nil : $0 }, limit: 500)
        let path = ConsolePlace.campaigns.path(of: app.slug)
        let address = PageAddress(path: visit.path, visit.parameters)
        let content = try await desk.read { connection in
            var report = try FunnelReport.run(query, on: connection, now: visit.now, estimate: .never)
            try report.arrange(order)
            let links = PageLinks(
                filter: { _, value in value.isEmpty ? nil : "\(path)/\(value.queryEncoded)" },
                glossary: { "/glossary#\($0)" }, order: PageOrder(of: report, at: address))
            return HTMLPage(campaignsIn: report).content(links)
        }
        return ConsolePage("Campaigns", place: .campaigns, isLive: true, [form(visit), content])
    }

    private func campaign(_ visit: Visit) async throws -> ConsolePage {
        let app = try visit.requireApp()
        guard let name = visit.lastPart.removingPercentEncoding, !name.isEmpty else {
            throw Problem(.notFound, "not_found", "this path does not exist")
        }
        var request = try request(visit)
        request.filters = [ReportFilter(.campaign, [name])]
        let whole = try request.query(for: app, now: visit.now)
        let window = whole.window.from..<whole.window.to
        try desk.limits.check([window])
        let isShort = window.upperBound - window.lowerBound <= .days(4)
        let queries = try [isShort ? "hour" : "day", "variant", "app_version"].map { dimension in
            var request = request
            request.by = [dimension]
            return try request.query(for: app, now: visit.now)
        }
        let links = PageLinks(glossary: { "/glossary#\($0)" })
        let content = try await desk.read { connection in
            let funnels = try ([whole] + queries).map {
                try FunnelReport.run($0, on: connection, now: visit.now, estimate: .never)
            }
            let annotations = try Annotations.list(of: app, in: window, on: connection)
                .filter { $0.campaign.map { $0 == name } ?? true }
            return CampaignPage(
                funnel: funnels[0], course: funnels[1], variants: funnels[2], builds: funnels[3],
                rejections: try RejectionsReport.run(whole, on: connection, now: visit.now),
                latency: try LatencyReport.run(whole, on: connection, now: visit.now)
            ).htmlPage(named: name).marked(annotations.map(PageMark.init)).content(links)
        }
        return ConsolePage(
            name, place: .campaigns, isLive: true, [form(visit, ["from", "to", "tz"]), content])
    }
}
