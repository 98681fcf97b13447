internal import DeliveryModel
internal import Doctor
internal import PostgresClient
internal import Rendering
internal import Reports

/// A report of `GET /v1/reports/…`.
struct ReportRoute: Sendable {
    /// The last part of its path.
    let name: String
    /// The names of the query parameters it accepts.
    let parameters: [String]
    /// Whether some of its numbers are of the present, whatever the window.
    let isOfPresent: Bool
    /// Parses the question.
    let read: @Sendable (QueryParameters, App, Instant) throws -> ReportQuestion
}

extension ReportRoute {
    /// Each returns what the command of the same name prints.
    static let all: [ReportRoute] = [
        today,
        .init("funnel", flag: "estimate") {
            try FunnelReport.run(
                $0.query, on: $1, now: $0.now, estimate: $0.hasFlag ? .always : .shortWindows)
        },
        // The audience is the present one.
        .init("reach", flag: "exact", isOfPresent: true) {
            try ReachReport.run($0.query, on: $1, now: $0.now, exactly: $0.hasFlag)
        },
        .init("clicks") {
            if $0.query.needsClicks { return try ClickKindsReport.run($0.query, on: $1, now: $0.now) }
            return try ClicksReport.run($0.query, on: $1, now: $0.now)
        },
        .init("loss") { try LossReport.run($0.query, on: $1, now: $0.now) },
        .init("rejections") { try RejectionsReport.run($0.query, on: $1, now: $0.now) },
        .init("latency") { try LatencyReport.run($0.query, on: $1, now: $0.now) },
        // It always has the same breakdown.
        .init("extension", isBrokenDown: true) { try ExtensionReport.run($0.query, on: $1, now: $0.now) },
        .init(
            "permissions", filters: [.campaign, .variant] + Dimension.allCases.filter(\.isOfInstallation),
            hasPast: true, isOfPresent: true
        ) {
            if $0.query.isOfCampaigns { return try OptOutsReport.run($0.query, on: $1, now: $0.now) }
            return try PermissionsReport.run($0.query, on: $1, now: $0.now, isPast: $0.isPast)
        },
        tokens, tokenStatus,
    ]

    /// The question to a report about notifications.
    private struct Asked: Sendable {
        var query: ReportQuery
        let now: Instant
        /// Whether `now` is an instant of the past that was asked for.
        let isPast: Bool
        /// Whether the command's flag is set, if it has one.
        let hasFlag: Bool
    }

    /// A report with a sheet: all of them accept the same question, and some a flag of their command.
    ///
    /// - Parameter hasPast: whether it can be as of an instant of the past.
    private init(
        _ name: String, filters: [Dimension] = Dimension.filters, flag: String? = nil,
        isBrokenDown: Bool = false, hasPast: Bool = false, isOfPresent: Bool = false,
        _ run: @escaping @Sendable (Asked, PostgresConnection) throws -> any Report & RenderableReport
    ) {
        self.name = name
        self.isOfPresent = isOfPresent
        parameters =
            ["from", "to", "tz"] + (isBrokenDown ? [] : ["by", "compare"]) + (hasPast ? ["as_of"] : [])
            + [flag].compactMap(\.self) + filters.map(\.rawValue) + ["sort"] + ReportShape.parameters
        read = { parameters, app, now in
            let shape = try ReportShape(parameters)
            let order = RowOrder(sort: try parameters.one("sort"), limit: shape.limit)
            let request = ReportRequest(
                from: try parameters.instant("from"), to: try parameters.instant("to"),
                timeZone: try parameters.one("tz"), by: parameters.all("by"),
                filters: filters.map { ReportFilter($0, parameters.all($0.rawValue)) },
                compare: try parameters.instant("compare"))
            let past = try parameters.instant("as_of")
            let asOf = try WindowBound.pastInstant(past, as: "as_of", in: Self.zone(parameters), now: now)
            let asked = Asked(
                query: try request.query(for: app, now: asOf, report: name), now: asOf, isPast: past != nil,
                hasFlag: try flag.map(parameters.flag) ?? false)
            let windows = [asked.query.window, asked.query.comparison].compactMap(\.self)
            return ReportQuestion(windows: windows.map { $0.from..<$0.to }) { connection, mostRows in
                var bounded = asked
                bounded.query.mostRows = mostRows
                var report = try run(bounded, connection)
                try report.arrange(order, for: shape.format)
                return RequestedReport(
                    report, shape, limit: .init(order, of: report.frame.query),
                    notes: try app.notes(on: asked.query.filters, report: name, connection))
            }
        }
    }

    /// The report of `landfall today`, without its next steps, which need the database.
    private static let today = ReportRoute(
        name: "today", parameters: ["tz", "app", "format", "terminal"], isOfPresent: true
    ) { parameters, app, now in
        let shape = try ReportShape(parameters)
        let zone = try zone(parameters)
        return ReportQuestion(windows: []) { connection, mostRows in
            let day = try AppToday.run(for: app, in: zone, on: connection, now: now, mostRows: mostRows)
            let health = try TokenHealth.inTime(for: app, on: connection, now: now)
            return RequestedReport(
                TodayPage(asOf: now, timeZone: zone, days: [day], health: health, steps: []), shape)
        }
    }

    /// The report of `landfall tokens waterfall`: the number in each state at both ends of the window, and
    /// the moves in between.
    private static let tokens = ReportRoute(
        name: "tokens", parameters: ["from", "to", "tz", "by", "unit", "as_of"] + ReportShape.parameters,
        isOfPresent: false
    ) { parameters, app, now in
        let shape = try ReportShape(parameters)
        let zone = try zone(parameters)
        let unit: TokenWaterfall.Unit = try parameters.word("unit") ?? .installations
        let window = try WaterfallWindow(
            from: try parameters.instant("from"), to: try parameters.instant("to"),
            by: try parameters.word("by"), timeZone: zone,
            asOf: try WindowBound.pastInstant(parameters.instant("as_of"), as: "as_of", in: zone, now: now))
        // It has as many rows as its window has periods, which are counted before the query runs.
        return ReportQuestion(windows: [window.from..<window.to]) { connection, _ in
            RequestedReport(
                try TokenWaterfall.run(for: app, unit: unit, window: window, on: connection), shape,
                limit: .init(count: shape.limit, keepsLatest: true))
        }
    }

    /// The report of `landfall tokens status`. It has no window, and a row per state, kind and environment.
    private static let tokenStatus = ReportRoute(
        name: "tokens/status", parameters: ["tz", "as_of", "app", "format", "terminal"], isOfPresent: true
    ) { parameters, app, now in
        let shape = try ReportShape(parameters)
        let zone = try zone(parameters)
        let past = try parameters.instant("as_of")
        let asOf = try WindowBound.pastInstant(past, as: "as_of", in: zone, now: now)
        return ReportQuestion(windows: []) { connection, _ in
            let report =
                past == nil
                ? try TokenStatusReport.run(for: app, on: connection, now: now)
                : try TokenStatusReport.run(for: app, asOf: asOf, on: connection)
            return RequestedReport(report, shape)
        }
    }

    private static func zone(_ parameters: QueryParameters) throws -> ReportTimeZone {
        try parameters.one("tz").map { try ReportTimeZone($0) } ?? .utc
    }
}

extension TokenHealth {
    /// `nil` if counting the tokens takes longer than a statement of a report may. Its transaction is then
    /// rolled back, or its connection abandoned.
    fileprivate static func inTime(
        for app: App, on connection: PostgresConnection, now: Instant
    ) throws -> TokenHealth? {
        do {
            return try run(for: app, on: connection, now: now)
        } catch let error as PostgresError
            where error.slowStatement != nil || error.sqlState == .lockNotAvailable
        {
            return nil
        }
    }
}
