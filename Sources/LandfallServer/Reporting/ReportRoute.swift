internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// A report of `GET /v1/reports/…`.
struct ReportRoute: Sendable {
    /// The last part of its path.
    let name: String
    /// The names of the query parameters it takes.
    let parameters: [String]
    /// Reads the words of the question.
    let read: @Sendable (ReportParameters, App, Instant) throws -> ReportQuestion
}

extension ReportRoute {
    /// Each answers what the command of the same name prints with `--json`.
    static let all: [ReportRoute] = [
        .init("funnel") { try FunnelReport.run($0, on: $1, now: $2) },
        .init("reach") { try ReachReport.run($0, on: $1, now: $2) },
        .init("clicks") { try ClicksReport.run($0, on: $1, now: $2) },
        .init("loss") { try LossReport.run($0, on: $1, now: $2) },
        .init("rejections") { try RejectionsReport.run($0, on: $1, now: $2) },
        .init("latency") { try LatencyReport.run($0, on: $1, now: $2) },
        tokens,
    ]

    /// A report about notifications: all of them take the same question.
    private init(
        _ name: String,
        _ run: @escaping @Sendable (ReportQuery, PostgresConnection, Instant) throws -> any Report
    ) {
        self.name = name
        parameters = ["from", "to", "tz", "by", "compare"] + Dimension.filters.map(\.rawValue)
        read = { parameters, app, now in
            let request = ReportRequest(
                from: try parameters.instant("from"), to: try parameters.instant("to"),
                timeZone: try parameters.one("tz"), by: parameters.all("by"),
                filters: Dimension.filters.map { ReportFilter($0, parameters.all($0.rawValue)) },
                compare: try parameters.instant("compare"))
            let query = try request.query(for: app, now: now)
            let windows = [query.window, query.comparison].compactMap(\.self)
            return ReportQuestion(windows: windows.map { $0.from..<$0.to }) { connection in
                try run(query, connection, now).document
            }
        }
    }

    /// What `landfall tokens waterfall` prints: how many were in which state at both ends of the window, and what moved between.
    private static let tokens = ReportRoute(
        name: "tokens", parameters: ["from", "to", "tz", "by", "unit", "as_of"]
    ) { parameters, app, now in
        let zone = try parameters.one("tz").map { try ReportTimeZone($0) } ?? .utc
        let unit: TokenWaterfall.Unit = try parameters.word("unit") ?? .installations
        let window = try WaterfallWindow(
            from: try parameters.instant("from"), to: try parameters.instant("to"),
            by: try parameters.word("by"), timeZone: zone,
            asOf: try ReportRoute.asOf(parameters.instant("as_of"), zone, now: now))
        return ReportQuestion(windows: [window.from..<window.to]) { connection in
            try TokenWaterfall.run(for: app, unit: unit, window: window, on: connection).document
        }
    }

    private static func asOf(
        _ text: String?, _ zone: ReportTimeZone, now: Instant
    ) throws(ReportError) -> Instant {
        guard let text else { return now }
        guard let instant = WindowBound.instant(text, in: zone, now: now) else {
            throw .unreadableInstant(text, bound: "as_of")
        }
        guard instant <= now else { throw .futureInstant(instant.rfc3339) }
        return instant
    }
}
