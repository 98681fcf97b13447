internal import DeliveryModel
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports

/// Every report of `GET /v1/reports/…` with a place in the navigation, with the same parameters and limits.
struct ReportPages: Sendable {
    let desk: ReportDesk
    let recent: RecentPages

    func addRoutes(to console: ConsoleRoutes) {
        for route in ReportRoute.all {
            guard let place = ConsolePlace(rawValue: route.name) else { continue }
            console.get("apps/:app/\(route.name)") { visit, request in
                try await response(route, place, visit, try visit.requireApp(), request)
            }
        }
    }

    private func response(
        _ route: ReportRoute, _ place: ConsolePlace, _ visit: Visit, _ app: App, _ request: Request
    ) async throws -> Response {
        if let format = try visit.parameters.one("format") {
            return try await download(route, visit, app, format)
        }
        let address = PageAddress(path: visit.path, visit.parameters)
        let sharing = PageAddress(path: "/apps/\(app.slug)/shares/new", visit.parameters)
            .setting("report", to: route.name).text
        let canShare = SharePages.reports.contains(route.name) && visit.role >= .operator
        let form = FilterForm(
            accepted: route.parameters, address: address, sharing: canShare ? sharing : nil
        ).markup
        do {
            let parameters = compared(try parameters(route, visit, format: "html"), route, visit)
            let question = try question(route, parameters, app, visit)
            let course = try courseParameters(route, parameters, of: question).map {
                try self.question(route, $0, app, visit)
            }
            let page = try await recent.page(place.title, place, [form], for: visit) {
                try await read(route, question, course, visit, app, address)
            }
            if let tag = page.tag, tag.matches(request.headers[values: .ifNoneMatch]) {
                return Response(status: .notModified, headers: [.eTag: tag.text])
            }
            return page.response(for: visit)
        } catch let problem as Problem where [.badRequest, .gatewayTimeout].contains(problem.status) {
            // The question can be mended on the same page.
            return ConsolePage(title: place.title, place: place) {
                form
                h1 { place.title }
                Markup.mistake(problem.detail.sentence)
            }.response(status: problem.status, for: visit)
        }
    }

    private func read(
        _ route: ReportRoute, _ question: ReportQuestion, _ course: ReportQuestion?, _ visit: Visit,
        _ app: App, _ address: PageAddress
    ) async throws -> PageContent {
        let campaigns = address.values("campaign")
        return try await desk.answer(question, in: app.cell) { [desk] requested, tag, connection in
            let annotations = try question.windows.first.map { window in
                try Annotations.list(of: app, in: window, on: connection).filter { annotation in
                    campaigns.isEmpty || annotation.campaign.map(campaigns.contains) ?? true
                }
            }
            let overTime = try course?.response(connection, desk.limits.rows).shown as? Sheet
            let sheet = requested.shown as? Sheet
            let page = (sheet.map { HTMLPage($0, coursesOf: overTime) } ?? requested.shown.htmlPage)
                .marked((annotations ?? []).map(PageMark.init))
            let links = visit.links(
                filter: { name, value in
                    guard address.isShort, route.parameters.contains(name) else { return nil }
                    return address.setting(name, to: value).setting("by", to: nil).text
                }, order: address.isShort ? PageOrder(of: requested.shown, at: address) : nil)
            let notes = requested.notes.map { note in p(class: "note") { note } }
            return PageContent(
                title: page.title, markup: notes + [page.content(links)], tag: tag.with(annotations ?? []))
        }
    }

    // MARK: - Questions

    private func parameters(_ route: ReportRoute, _ visit: Visit, format: String) throws -> QueryParameters {
        var parameters = visit.parameters.withoutEmptyFields
        if parameters.comparesNothing { parameters = parameters.setting("compare", to: nil) }
        try parameters.check(against: route.parameters)
        return parameters.setting("format", to: format)
    }

    /// Without a breakdown, a page compares with the time before, unless the address says `compare=none`.
    private func compared(_ asked: QueryParameters, _ route: ReportRoute, _ visit: Visit) -> QueryParameters {
        guard route.parameters.contains("compare"), !visit.parameters.comparesNothing,
            asked.all("by").isEmpty, asked.all("compare").isEmpty
        else { return asked }
        return asked.setting("compare", to: "previous")
    }

    /// The question by time, for the course of each number; `nil` if the page has a breakdown, or no courses.
    private func courseParameters(
        _ route: ReportRoute, _ parameters: QueryParameters, of question: ReportQuestion
    ) throws -> QueryParameters? {
        guard ["funnel", "clicks", "reach", "latency"].contains(route.name), parameters.all("by").isEmpty,
            let window = question.windows.first
        else { return nil }
        let isShort = window.upperBound - window.lowerBound <= .days(4)
        return ["compare", "exact", "estimate", "sort"].reduce(parameters) { $0.setting($1, to: nil) }
            .setting("by", to: isShort ? "hour" : "day")
    }

    private func question(
        _ route: ReportRoute, _ parameters: QueryParameters, _ app: App, _ visit: Visit
    ) throws -> ReportQuestion {
        do {
            return try route.read(parameters, app, visit.now)
        } catch let error as ReportError {
            throw Problem(error)
        }
    }

    private func download(
        _ route: ReportRoute, _ visit: Visit, _ app: App, _ format: String
    ) async throws -> Response {
        let question = try question(route, try parameters(route, visit, format: format), app, visit)
        let report = try await desk.answer(question, in: app.cell) { report, tag, _ in
            WrittenReport(report, tag)
        }
        var response = report.response(for: app, isClosed: false, ifNoneMatch: [])
        let name = "\(app.slug)-\(route.name.replacing("/", with: "-")).\(format)"
        response.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension PageOrder {
    init(of report: any RenderableReport, at address: PageAddress) {
        self.init(
            ids: (report as? Sheet).map { $0.isEmpty ? [] : $0.orders } ?? [],
            current: address.values("sort").first
        ) { address.setting("sort", to: $0).text }
    }
}

extension PageMark {
    init(_ annotation: Annotation) { self.init(at: annotation.at, annotation.text) }
}

extension ReportTag {
    /// The tag of a page that shows annotations next to the report.
    fileprivate func with(_ annotations: [Annotation]) -> ReportTag {
        guard !annotations.isEmpty else { return self }
        return ReportTag(
            of: .array([.string(text)] + annotations.map { .string("\($0.id) \($0.at) \($0.text)") }))
    }
}
