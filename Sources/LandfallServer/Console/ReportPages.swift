internal import Access
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
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
        let form = FilterForm(route: route, address: address).markup
        let links = PageLinks(
            filter: { name, value in
                guard route.parameters.contains(name), !value.isEmpty else { return nil }
                return address.setting(name, to: value).setting("by", to: "").text
            }, glossary: { "/glossary#\($0)" })
        do {
            let question = try question(route, visit, with: "html")
            let (title, content, tag) = try await desk.answer(question) { requested, tag in
                let page = requested.report.htmlPage
                let notes = requested.notes.map { Markup.element("p", ["class": "note"], $0) }
                return (page.title, notes + [page.content(links)], tag)
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
        // A form sends its empty fields, too.
        let parameters = visit.parameters.withoutEmpty.setting("format", to: format)
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
        let written = try await desk.answer(try question(route, visit, with: format)) {
            WrittenReport($0, $1)
        }
        var response = written.response(for: app, isClosed: false, ifNoneMatch: [])
        let name = "\(app.slug)-\(route.name.replacing("/", with: "-")).\(format)"
        response.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension ReportParameters {
    /// Without the parameters whose value is empty.
    fileprivate var withoutEmpty: ReportParameters {
        ReportParameters(pairs.filter { !$0.value.isEmpty })
    }

    fileprivate func setting(_ name: String, to value: String) -> ReportParameters {
        ReportParameters(pairs.filter { $0.name != name } + [(name, value)])
    }
}
