internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient
internal import Rendering
internal import Reports

struct ReportOptions: ParsableArguments {
    @OptionGroup var app: AppOptions
    @OptionGroup var profile: ProfileOption

    @Option(
        help: .when(
            "Start of the window: 2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 7d (the last 7 local days, including today), 24h, now, today, yesterday. Default: 7 local days."
        ))
    var from: String?

    @Option(
        help: .when(
            "End of the window (exclusive), in the same formats as --from. Default: the end of today."))
    var to: String?

    @OptionGroup var timeZone: TimeZoneOption

    @Option(
        help: .value(
            "Break down by one or two dimensions, such as --by day,campaign: hour, day, week, month, campaign, variant, push_type, priority, provider, environment, topic, platform, app_version, os_version, language, permission; clicks also by action, category, app_state; permissions only by hour, day, week, month, platform, app_version, os_version, language, or by campaign and variant.",
            "dimension"), completion: .dimensions)
    var by: [String] = []

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @Option(
        help: .when(
            "Compare with another window of equal length: previous, or its start (2026-03-01). Whole months are compared with months (March with February), whole days with days, anything else by the hour."
        ))
    var compare: String?

    @Option(
        help: .value(
            "Sort the rows by this count or rate, highest first: clicked, click_through, … Default: by time, otherwise largest first.",
            "id"))
    var sort: String?

    @Option(
        help: .value(
            "Show this many rows; of periods, the latest. Default: 40 in a table, otherwise all.", "rows"))
    var limit: Int?

    @OptionGroup(title: "Output") var output: ReportOutputOptions

    private var order: RowOrder { RowOrder(sort: sort, limit: limit) }

    private var request: ReportRequest {
        ReportRequest(
            from: from, to: to, timeZone: timeZone.tz, by: by, filters: filters.chosen, compare: compare)
    }

    /// Checks the options of a report before any database is opened.
    func check(_ report: String?) throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be 1 or more.") }
        try asValidation { _ = try request.query(for: App(appID: 0, slug: ""), now: .now, report: report) }
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
        if let server = try profile.server(unless: app.database) {
            let further = given([("as_of", asOf), (flag ?? "", flag.map { _ in "true" })])
            return try await server.write(name, parameters + further, output)
        }
        let present = Instant.now
        let report = try app.withApp { app, connection -> any Report & RenderableReport in
            try asUsage {
                let now = try WindowBound.pastInstant(asOf, as: "as-of", in: timeZone.zone, now: present)
                let query = try request.query(for: app, now: now, report: name)
                try app.notes(on: filters.chosen, report: name, connection).forEach(note)
                var result = try WaitingLine.whileWaiting("querying the database") {
                    try question(query, connection, now)
                }
                try result.arrange(order, for: output.chosenFormat)
                return result
            }
        }
        try output.write(report, limit: .init(order, of: report.frame.query), of: app.database)
    }

    private var parameters: ReportParameters {
        let single = given([
            ("app", app.app), ("from", from), ("to", to), ("tz", timeZone.tz), ("compare", compare),
            ("sort", sort), ("limit", limit.map(String.init)),
        ])
        let periods: ReportParameters = by.map { ("by", $0) }
        return single + periods + filters.parameters
    }
}

/// The notifications that a report includes.
struct FilterOptions: ParsableArguments {
    @Option(
        help: .value(
            "Only this campaign. This and the following options may be repeated; '' selects none or unknown.",
            "name"), completion: .values(of: .campaign))
    var campaign: [String] = []

    @Option(help: .value("Only this variant.", "name"), completion: .values(of: .variant))
    var variant: [String] = []

    @Option(
        help: .value("Only this apns-push-type: alert, background, …", "type"),
        completion: .values(of: .pushType))
    var pushType: [String] = []

    @Option(help: .value("Only this priority.", "number")) var priority: [String] = []

    @Option(help: .value("Only this provider: apns, fcm, …", "name"), completion: .values(of: .provider))
    var provider: [String] = []

    @Option(
        help: .value("Only this environment: production or sandbox.", "name"),
        completion: .list(["production", "sandbox"]))
    var environment: [String] = []

    @Option(help: .value("Only this topic.", "topic"), completion: .values(of: .topic))
    var topic: [String] = []

    @Option(help: .value("Only this platform: ios, android, …", "name"), completion: .values(of: .platform))
    var platform: [String] = []

    @Option(help: .value("Only this app version.", "version"), completion: .values(of: .appVersion))
    var appVersion: [String] = []

    @Option(help: .value("Only this OS version.", "version"), completion: .values(of: .osVersion))
    var osVersion: [String] = []

    @Option(help: .value("Only this language.", "code"), completion: .values(of: .language))
    var language: [String] = []

    @Option(
        help: .value("Only this permission: authorized, provisional, denied, …", "name"),
        completion: .values(of: .permission))
    var permission: [String] = []

    /// Reports do not know it, and say what does.
    @Option(help: .hidden) var sender: [String] = []

    func validate() throws {
        try asValidation { if !sender.isEmpty { throw ReportError.senderNotCounted } }
    }

    var parameters: ReportParameters {
        chosen.flatMap { filter -> ReportParameters in
            filter.values.map { (filter.dimension.rawValue, $0) }
        }
    }

    var chosen: [ReportFilter] {
        [
            ReportFilter(.campaign, campaign), ReportFilter(.variant, variant),
            ReportFilter(.pushType, pushType), ReportFilter(.priority, priority),
            ReportFilter(.provider, provider), ReportFilter(.environment, environment),
            ReportFilter(.topic, topic), ReportFilter(.platform, platform),
            ReportFilter(.appVersion, appVersion), ReportFilter(.osVersion, osVersion),
            ReportFilter(.language, language), ReportFilter(.permission, permission),
        ].filter { !$0.values.isEmpty }
    }
}
