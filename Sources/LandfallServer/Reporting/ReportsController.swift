internal import Access
internal import Hummingbird
internal import Instants
internal import NIOCore
internal import PostgresClient
internal import Rendering
internal import Reports

/// `GET /v1/reports/…`: what the command line prints, byte for byte; with `--json`, unless another format is requested.
///
/// Reports are computed, and their documents written, on the threads of a pool of their own.
struct ReportsController {
    let pool: PostgresPool
    let limits: ServerConfiguration.ReportLimits
    let metrics: DatabaseMetrics
    let clock: ServerClock

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
        let parameters = try ReportParameters(query: request.uri.query)
        try parameters.check(against: route.parameters)
        if let other = try parameters.one("app"), other != app.slug {
            throw Problem.invalidParameter(
                "'app' is '\(other)', and the key is one of app '\(app.slug)': omit 'app', or use a key of '\(other)'"
            )
        }
        let now = clock.now
        let question = try route.read(parameters, app, now)
        try limits.check(question)
        let report = try await ask(question)
        // Words such as 7d mean another window tomorrow.
        let tomorrow = try? route.read(parameters, app, now + .days(1))
        let isClosed =
            question.isClosed(at: now) && tomorrow?.windows == question.windows && !route.isOfPresent
        return report.response(
            for: app, isClosed: isClosed, ifNoneMatch: request.headers[values: .ifNoneMatch])
    }

    /// Asks a second time if the connection turns out to be broken, but not if the query takes too long.
    private func ask(_ question: ReportQuestion) async throws -> WrittenReport {
        let asked = ContinuousClock.now
        do {
            return try await pool.withConnection(attempts: 2) { [limits, metrics] connection in
                let started = ContinuousClock.now
                do {
                    let requested = try question.response(connection, limits.rows)
                    let document = requested.report.document
                    try limits.check(document)
                    return WrittenReport(requested, document)
                } catch let error as PostgresError {
                    if case .tooManyRows = error { throw Problem.tooManyRows(limits.rows) }
                    // If the server's own limit fails, there is no error from it: the client's timeout closed the connection.
                    let isTooLate =
                        error.isTransient && started.duration(to: .now) >= limits.statementTimeout
                    guard error.tookTooLong || isTooLate else { throw error }
                    metrics.failed(error)
                    throw Problem.reportTimeout
                }
            }
        } catch let error as PostgresError
            where error.isTransient && asked.duration(to: .now) >= limits.statementTimeout
        {
            // It waited for other reports, which took that long.
            throw Problem.reportTimeout
        }
    }
}

extension ReportQuestion {
    /// Whether every notification in the windows has had a day to arrive, and every change a day to be recorded. Clicks may still
    /// come, but few.
    fileprivate func isClosed(at now: Instant) -> Bool {
        windows.allSatisfy { $0.upperBound + .hours(24) <= now }
    }
}

extension PostgresError {
    /// Whether the statement, or waiting for a lock, took too long.
    fileprivate var tookTooLong: Bool { sqlState == .queryCanceled || sqlState == .lockNotAvailable }
}

extension Problem {
    fileprivate static let reportTimeout = Problem(
        .gatewayTimeout, "report_timeout",
        "the report took longer than this server allows: narrow the window, or use fewer dimensions")
}
