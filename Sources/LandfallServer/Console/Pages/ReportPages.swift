internal import Access
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import Instants
internal import NIOCore
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports

/// Every report of `GET /v1/reports/…` as a page of an app, with the same parameters and limits. The page of `today` is one of
/// ``AppPages``.
struct ReportPages: Sendable {
    let desk: ReportDesk
    let recent: RecentPages

    func addRoutes(to console: ConsoleRoutes) {
        for route in ReportRoute.all where ConsolePlace(rawValue: route.name) != nil {
            console.get("apps/:app/\(route.name)") { visit, request in
                try await response(route, visit, request)
            }
        }
    }

    private func response(
        _ route: ReportRoute, _ visit: Visit, _ request: Request
    ) async throws -> Response {
        if try visit.parameters.one("format") != nil { return try await download(route, visit) }
        let place = ConsolePlace(rawValue: route.name)
        let address = PageAddress(path: visit.path, visit.parameters)
        let form = try form(route, visit, address)
        do {
            let parameters = try parameters(route, visit)
            let question = try question(route, visit, parameters)
            let course = try courseParameters(route, parameters, of: question).map {
                try self.question(route, visit, $0)
            }
            let app = try visit.requireApp()
            let title = place?.title ?? route.name
            let page = try await recent.page(title, place, [form], for: visit) {
                try await read(route, question, course, visit, app, address)
            }
            if let tag = page.tag, tag.matches(request.headers[values: .ifNoneMatch]) {
                return Response(status: .notModified, headers: [.eTag: tag.text])
            }
            return page.response(for: visit)
        } catch let problem as Problem where [.badRequest, .gatewayTimeout].contains(problem.status) {
            // The question can be mended on the same page.
            let mistake = Markup.mistake(problem.detail.sentence)
            let title = place?.title ?? route.name
            return ConsolePage(title, place: place, [form, .element("h1", [:], title), mistake])
                .response(status: problem.status, for: visit)
        }
    }

    private func form(_ route: ReportRoute, _ visit: Visit, _ address: PageAddress) throws -> Markup {
        let canShare = SharePages.reports.contains(route.name) && visit.role >= .operator
        let sharing = PageAddress(
            path: "/apps/\(try visit.requireApp().slug)/shares/new", visit.parameters
        ).setting("report", to: route.name)
        return FilterForm(
            accepted: route.parameters, address: address, sharing: canShare ? sharing.text : nil
        ).markup
    }

    private func read(
        _ route: ReportRoute, _ question: ReportQuestion, _ course: ReportQuestion?, _ visit: Visit,
        _ app: App, _ address: PageAddress
    ) async throws -> PageContent {
        let campaigns = address.values("campaign")
        return try await desk.answer(question) { [desk] requested, tag, connection in
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
            let notes = requested.notes.map { Markup.element("p", ["class": "note"], $0) }
            return PageContent(
                title: page.title, markup: notes + [page.content(links)], tag: tag.with(annotations ?? []))
        }
    }

    // MARK: - Questions

    /// The parameters of the report of a page. Without a breakdown, its numbers are compared with those of the time before, unless
    /// the address says `compare=none`.
    private func parameters(_ route: ReportRoute, _ visit: Visit) throws -> QueryParameters {
        let asked = try askedParameters(route, visit).setting("format", to: "html")
        guard route.parameters.contains("compare"), !visit.parameters.comparesNothing,
            asked.all("by").isEmpty, asked.all("compare").isEmpty
        else { return asked }
        return asked.setting("compare", to: "previous")
    }

    private func askedParameters(_ route: ReportRoute, _ visit: Visit) throws -> QueryParameters {
        var parameters = visit.parameters.withoutEmptyFields
        if parameters.comparesNothing { parameters = parameters.setting("compare", to: nil) }
        try parameters.check(against: route.parameters)
        return parameters
    }

    /// The question by time, whose report has the course of each number; `nil` if the page has a breakdown of
    /// its own, or no numbers with a course.
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
        _ route: ReportRoute, _ visit: Visit, _ parameters: QueryParameters
    ) throws -> ReportQuestion {
        do {
            return try route.read(parameters, visit.requireApp(), visit.now)
        } catch let error as ReportError {
            throw Problem(error)
        }
    }

    /// The report as a file.
    private func download(_ route: ReportRoute, _ visit: Visit) async throws -> Response {
        let format = try visit.parameters.one("format") ?? "json"
        let app = try visit.requireApp()
        let parameters = try askedParameters(route, visit).setting("format", to: format)
        let written = try await desk.answer(try question(route, visit, parameters)) { report, tag, _ in
            WrittenReport(report, tag)
        }
        var response = written.response(for: app, isClosed: false, ifNoneMatch: [])
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
