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

/// Every report of `GET /v1/reports/…` as a page of an app, with the same parameters and limits.
struct ReportPages: Sendable {
    let desk: ReportDesk
    private let recent = RecentPages()

    init(desk: ReportDesk) { self.desk = desk }

    func addRoutes(to console: ConsoleRoutes) {
        for route in ReportRoute.all {
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
            let question = try question(route, visit, with: "html")
            let app = try visit.requireApp()
            let content = try await recent.content("\(app.appID) \(address.text)") {
                try await read(route, question, app, address)
            }
            if content.tag.matches(request.headers[values: .ifNoneMatch]) {
                return Response(status: .notModified, headers: [.eTag: content.tag.text])
            }
            return ConsolePage(
                content.title, place: place, tag: content.tag, isLive: true, [form] + content.markup
            ).response(for: visit)
        } catch let problem as Problem where [.badRequest, .gatewayTimeout].contains(problem.status) {
            // The question can be mended on the same page.
            let mistake = Markup.element("p", ["class": "mistake", "role": "alert"], problem.detail.sentence)
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
        _ route: ReportRoute, _ question: ReportQuestion, _ app: App, _ address: PageAddress
    ) async throws -> RecentPages.Content {
        let links = PageLinks(
            filter: { name, value in
                guard route.parameters.contains(name) else { return nil }
                return address.setting(name, to: value).setting("by", to: nil).text
            }, glossary: { "/glossary#\($0)" })
        let campaigns = address.values("campaign")
        return try await desk.answer(question) { requested, tag, connection in
            let annotations = try question.windows.first.map { window in
                try Annotations.list(of: app, in: window, on: connection).filter { annotation in
                    campaigns.isEmpty || annotation.campaign.map(campaigns.contains) ?? true
                }
            }
            let page = requested.report.htmlPage.marked((annotations ?? []).map(PageMark.init))
            let notes = requested.notes.map { Markup.element("p", ["class": "note"], $0) }
            return RecentPages.Content(
                title: page.title, markup: notes + [page.content(links)], tag: tag.with(annotations ?? []))
        }
    }

    private func question(
        _ route: ReportRoute, _ visit: Visit, with format: String
    ) throws -> ReportQuestion {
        let parameters = visit.parameters.withoutEmptyFields.setting("format", to: format)
        try parameters.check(against: route.parameters)
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
        let written = try await desk.answer(try question(route, visit, with: format)) { report, tag, _ in
            WrittenReport(report, tag)
        }
        var response = written.response(for: app, isClosed: false, ifNoneMatch: [])
        let name = "\(app.slug)-\(route.name.replacing("/", with: "-")).\(format)"
        response.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        response.headers[.cacheControl] = "no-store"
        return response
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
