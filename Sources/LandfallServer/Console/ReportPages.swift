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
        let place = ConsolePlace(rawValue: route.name)
        if try visit.parameters.one("format") != nil { return try await download(route, visit) }
        let address = PageAddress(path: visit.path, visit.parameters)
        let canShare = SharePages.reports.contains(route.name) && visit.role >= .operator
        let sharing = PageAddress(
            path: "/apps/\(try visit.requireApp().slug)/shares/new", visit.parameters
        ).setting("report", to: route.name)
        let form = FilterForm(
            accepted: route.parameters, address: address, sharing: canShare ? sharing.text : nil
        ).markup
        let links = PageLinks(
            filter: { name, value in
                guard route.parameters.contains(name) else { return nil }
                return address.setting(name, to: value).setting("by", to: nil).text
            }, glossary: { "/glossary#\($0)" })
        do {
            let question = try question(route, visit, with: "html")
            let app = try visit.requireApp()
            let campaigns = address.values("campaign")
            let (title, content, tag) = try await desk.answer(question) { requested, tag, connection in
                let annotations = try question.windows.first.map { window in
                    try Annotations.list(of: app, in: window, on: connection).filter { annotation in
                        campaigns.isEmpty || annotation.campaign.map(campaigns.contains) ?? true
                    }
                }
                let page = requested.report.htmlPage.marked((annotations ?? []).map(PageMark.init))
                let notes = requested.notes.map { Markup.element("p", ["class": "note"], $0) }
                return (page.title, notes + [page.content(links)], tag.with(annotations ?? []))
            }
            if tag.matches(request.headers[values: .ifNoneMatch]) {
                return Response(status: .notModified, headers: [.eTag: tag.text])
            }
            let page = ConsolePage(title, place: place, tag: tag, isLive: true, [form] + content)
            return page.response(for: visit)
        } catch let problem as Problem where problem.status == .badRequest || problem.status == .gatewayTimeout {
            // The question can be mended on the same page.
            let mistake = Markup.element("p", ["class": "mistake", "role": "alert"], problem.detail.sentence)
            let heading = Markup.element("h1", [:], place?.title ?? route.name)
            return ConsolePage(route.name, place: place, [form, heading, mistake])
                .response(status: problem.status, for: visit)
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
