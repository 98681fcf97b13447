internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import NIOCore
internal import Rendering
internal import Reports

/// `GET /v1/reports/…`: what the command line prints, byte for byte; by default, with `--json`.
///
/// Reports are computed, and their documents written, on the threads of a pool of their own.
struct ReportsController {
    let desk: ReportDesk

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        for route in ReportRoute.all {
            group.get("reports/\(route.name)") { request, context in
                try await response(route, request, context)
            }
        }
    }

    private func response(
        _ route: ReportRoute, _ request: Request, _ context: LandfallRequestContext
    ) async throws -> Response {
        let app = try context.requireCredential(.report).app
        let parameters = try QueryParameters(query: request.uri.query)
        if let other = try parameters.one("app"), other != app.slug {
            throw Problem.invalidParameter(
                "'app' is '\(other)', and the key is one of app '\(app.slug)': omit 'app', or use a key of '\(other)'"
            )
        }
        let now = try desk.cells[app.cell].clock.now
        let question = try route.read(parameters, app, now)
        let report = try await desk.answer(question, in: app.cell) { report, tag, _ in
            WrittenReport(report, tag)
        }
        // Words such as 7d mean another window tomorrow.
        let tomorrow = try? route.read(parameters, app, now + .days(1))
        let isClosed =
            question.isClosed(at: now) && tomorrow?.windows == question.windows && !route.isOfPresent
        return report.response(
            for: app, isClosed: isClosed, ifNoneMatch: request.headers[values: .ifNoneMatch])
    }
}

extension ReportQuestion {
    /// Whether every notification in the windows has had a day to arrive, and every change a day to be
    /// recorded. Clicks may still come, but few.
    fileprivate func isClosed(at now: Instant) -> Bool {
        windows.allSatisfy { $0.upperBound + .hours(24) <= now }
    }
}
