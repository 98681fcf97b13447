internal import DeliveryModel
internal import Hummingbird
internal import PostgresClient
internal import Rendering
internal import Reports

struct CampaignPages: Sendable {
    let desk: ReportDesk
    let recent: RecentPages

    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "campaigns") { try await list($0, $1) }
        console.page(inApp: "campaigns/:campaign") { try await campaign($0, $1) }
    }

    /// The question of both pages: a month unless the address says otherwise.
    private func request(_ visit: Visit, _ accepted: [String]) throws -> ReportRequest {
        let parameters = visit.parameters.withoutEmptyFields
        try parameters.check(against: accepted)
        return ReportRequest(
            from: try parameters.instant("from") ?? "30d", to: try parameters.instant("to"),
            timeZone: try parameters.one("tz"))
    }

    private func form(_ visit: Visit, others: [String] = []) -> Markup {
        let address = PageAddress(path: visit.path, visit.parameters)
        let asked = address.values("from").isEmpty ? address.setting("from", to: "30d") : address
        var form = FilterForm(accepted: ["from", "to", "tz"], address: asked)
        if !others.isEmpty {
            let options = [("", "nothing")] + others.map { ($0, $0) }
            let current = address.values("with").first ?? ""
            form.others = [choice("Compare with", "with", options, selected: current)]
        }
        return form.markup
    }

    private func list(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        var request = try request(visit, ["from", "to", "tz", "sort"])
        request.by = ["campaign"]
        let query = try request.query(for: app, now: visit.now)
        try desk.limits.check([query.window.from..<query.window.to])
        let order = RowOrder(sort: try visit.parameters.filled("sort"), limit: 500)
        let path = ConsolePlace.campaigns.path(of: app.slug)
        let address = PageAddress(path: visit.path, visit.parameters)
        return try await recent.page("Campaigns", .campaigns, [form(visit)], for: visit) {
            try await desk.read(in: app.cell) { connection in
                var report = try FunnelReport.run(query, on: connection, now: visit.now, estimate: .never)
                try report.arrange(order)
                let links = visit.links(
                    filter: { _, value in value.isEmpty ? nil : "\(path)/\(value.queryEncoded)" },
                    order: PageOrder(of: report.sheet, at: address))
                return PageContent(title: "Campaigns", markup: [HTMLPage(campaignsIn: report).content(links)])
            }
        }
    }

    private func campaign(_ visit: Visit, _ app: App) async throws -> ConsolePage {
        let name = try visit.segment("campaign") { QueryParameters.decoded($0) }
        let request = try request(visit, ["from", "to", "tz", "with"])
        let other = try visit.parameters.filled("with")
        let questions = CampaignQuestions(app: app, now: visit.now, request: request)
        let window = try questions.query(of: name).window
        try desk.limits.check([window.from..<window.to])
        return try await recent.page(name, .campaigns, for: visit) {
            try await desk.read(in: app.cell) { connection in
                let page = try questions.page(of: name, comparedWith: other, on: connection)
                let annotations = try Annotations.list(of: app, in: window.from..<window.to, on: connection)
                    .filter { $0.campaign.map { $0 == name } ?? true }
                let others = try questions.largest(50, except: name, on: connection)
                let content = page.marked(annotations.map(PageMark.init)).content(visit.links())
                return PageContent(title: name, markup: [form(visit, others: others), content])
            }
        }
    }
}

private struct CampaignQuestions: Sendable {
    let app: App
    let now: Instant
    /// Without a campaign and a breakdown.
    var request: ReportRequest

    func query(of campaign: String, by dimension: String? = nil) throws -> ReportQuery {
        var request = request
        request.filters = [ReportFilter(.campaign, [campaign])]
        request.by = [dimension].compactMap(\.self)
        return try request.query(for: app, now: now)
    }

    func page(
        of campaign: String, comparedWith other: String?, on connection: PostgresConnection
    ) throws -> HTMLPage {
        let whole = try query(of: campaign)
        return HTMLPage(
            campaign: campaign, funnel: try funnel(whole, connection),
            course: try course(of: campaign, connection),
            variants: try funnel(try query(of: campaign, by: "variant"), connection),
            builds: try funnel(try query(of: campaign, by: "app_version"), connection),
            rejections: try RejectionsReport.run(whole, on: connection, now: now),
            latency: try LatencyReport.run(whole, on: connection, now: now),
            other: try other.map { ($0, try funnel(try query(of: $0), connection)) })
    }

    func largest(_ count: Int, except name: String, on connection: PostgresConnection) throws -> [String] {
        var request = request
        request.by = ["campaign"]
        return try funnel(try request.query(for: app, now: now), connection).rows
            .compactMap { $0.key.parts.first?.value }.filter { $0 != name }.prefix(count).map(\.self)
    }

    /// From the campaign's first day to its last: by hour if it took at most four days.
    private func course(of campaign: String, _ connection: PostgresConnection) throws -> FunnelReport {
        let days = try funnel(try query(of: campaign, by: "day"), connection)
        let (window, zone) = (days.frame.query.window, days.frame.query.timeZone)
        let sent = days.rows.compactMap { row in
            row.key.parts.first?.value.flatMap { WindowBound.instant($0, in: zone, now: now) }
        }
        guard let first = sent.min(), let last = sent.max() else { return days }
        var narrowed = self
        narrowed.request.from = max(first, window.from).rfc3339
        narrowed.request.to = min(zone.startOfDay(last, plusDays: 1), window.to).rfc3339
        let isShort = last - first < .days(4)
        return try funnel(try narrowed.query(of: campaign, by: isShort ? "hour" : "day"), connection)
    }

    private func funnel(_ query: ReportQuery, _ connection: PostgresConnection) throws -> FunnelReport {
        try FunnelReport.run(query, on: connection, now: now, estimate: .never)
    }
}
