internal import Access
internal import ArgumentParser
internal import Instants
internal import PostgresClient
internal import Rendering
internal import Reports

/// The options of every report.
struct ReportOptions: ParsableArguments {
    @OptionGroup(title: "Database")
    var database: DatabaseOptions

    @Option(
        help: ArgumentHelp("The app. Optional if there is only one.", valueName: "slug"), completion: .apps)
    var app: String?

    @OptionGroup var profile: ProfileOption

    @Option(
        help: ArgumentHelp(
            "Start of the window: 2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 7d (the last 7 local days, including today), 24h, now, today, yesterday. Default: 7 local days.",
            valueName: "when"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "End of the window (exclusive), in the same formats as --from. Default: the end of today.",
            valueName: "when"))
    var to: String?

    @OptionGroup var timeZone: TimeZoneOption

    @Option(
        help: ArgumentHelp(
            "Break down by one or two dimensions, such as --by day,campaign: hour, day, week, month, campaign, variant, push_type, priority, provider, environment, topic, platform, app_version, os_version, language, permission; clicks also by action, category, app_state.",
            valueName: "dimension"), completion: .dimensions)
    var by: [String] = []

    @OptionGroup(title: "Filters")
    var filters: FilterOptions

    @Option(
        help: ArgumentHelp(
            "Compare with another window of equal length: previous, or its start (2026-03-01). Whole months are compared with months (March with February), whole days with days, anything else by the hour.",
            valueName: "when"))
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "Sort the rows by this count or rate, highest first: clicked, click_through, … Default: by time, otherwise largest first.",
            valueName: "id"))
    var sort: String?

    @Option(
        help: ArgumentHelp(
            "Show this many rows; of periods, the latest. Default: 40 in a table, otherwise all.",
            valueName: "rows"))
    var limit: Int?

    @OptionGroup(title: "Output")
    var output: ReportOutputOptions

    private var order: RowOrder { RowOrder(sort: sort, limit: limit) }

    private var request: ReportRequest {
        ReportRequest(
            from: from, to: to, timeZone: timeZone.tz, by: by, filters: filters.chosen, compare: compare)
    }

    /// Checks the options before any database is opened.
    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be 1 or more.") }
        try asValidation { _ = try request.query(for: App(appID: 0, slug: ""), now: .now) }
    }

    /// Asks for one report with all options, and writes it.
    ///
    /// - Parameters:
    ///   - name: the report's name in the HTTP interface.
    ///   - flag: the parameter of the flag that is set and that only this report has.
    ///   - asOf: an instant of the past as of which it is asked; `nil` for now.
    ///   - question: runs the report on a database.
    func write(
        _ name: String, flag: String? = nil, asOf: String? = nil,
        _ question: (ReportQuery, PostgresConnection, Instant) throws -> any Report & RenderableReport
    ) async throws {
        if let server = try profile.server(unless: database) {
            var parameters = self.parameters
            if let flag { parameters.append((flag, "true")) }
            if let asOf { parameters.append(("as_of", asOf)) }
            return try await server.write(name, parameters, output)
        }
        let report = try ask(name, asOf: asOf, question)
        try output.write(report, limit: .init(order, of: report.frame.query), of: database)
    }

    /// The options as parameters of the HTTP interface.
    private var parameters: [(name: String, value: String)] {
        let single = [
            ("app", app), ("from", from), ("to", to), ("tz", timeZone.tz), ("compare", compare),
            ("sort", sort), ("limit", limit.map(String.init)),
        ]
        return single.compactMap { name, value in value.map { (name, $0) } } + by.map { ("by", $0) }
            + filters.chosen.flatMap { filter in filter.values.map { (filter.dimension.rawValue, $0) } }
    }

    private func ask(
        _ name: String, asOf: String?,
        _ question: (ReportQuery, PostgresConnection, Instant) throws -> any Report & RenderableReport
    ) throws -> any Report & RenderableReport {
        let present = Instant.now
        return try database.withConnection { connection in
            try asUsage {
                let now = try WindowBound.pastInstant(asOf, as: "as-of", in: timeZone.zone, now: present)
                let app = try App.named(app, among: AppDirectory(connection).apps())
                let query = try request.query(for: app, now: now, report: name)
                try app.notes(on: filters.chosen, report: name, connection).forEach(note)
                var result = try WaitingLine.whileWaiting("querying the database") {
                    try question(query, connection, now)
                }
                try result.arrange(order, for: output.chosenFormat)
                return result
            }
        }
    }
}
