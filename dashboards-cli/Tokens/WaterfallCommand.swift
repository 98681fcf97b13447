internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient
internal import Rendering
internal import Reports

struct WaterfallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waterfall",
        abstract: "Report how the audience changed: who joined, who came back, who left and why.",
        discussion: """
            Reads the ledger of tokens, so the same question about a past period always has the same result. \
            An installation is in exactly one state: the best state of the tokens it holds that show \
            notifications (active, suspect, stale, retired). The report shows the active ones: start + \
            registered + revived - rotated + migrated - retired by cause - stale - suspect = end. A table that \
            does not add up is not printed.

              landfall tokens waterfall --app shop --by day
              landfall tokens waterfall --by week --from 2026-01-05 --unit tokens
              landfall tokens waterfall --by day --as-of 2026-03-01 --json
            """)

    @OptionGroup var app: AppOptions
    @OptionGroup var profile: ProfileOption

    @Option(
        help: .value("Divide the window by day or week (Monday to Sunday).", "period"),
        transform: { try word($0, of: "period") })
    var by: WaterfallStep?

    @Option(
        help: .when("Start of the window: \(InstantForms.local). Default: 7 local days; by week, 8 weeks."))
    var from: String?

    @Option(help: .when("End of the window (exclusive), in the same formats as --from. Default: now."))
    var to: String?

    @Option(
        help: .when(
            "Report as if at this instant: 7d counts from it, and nothing later is included. Default: now."))
    var asOf: String?

    @OptionGroup var timeZone: TimeZoneOption

    @Option(
        help: .value(
            "Count installations, or tokens of kinds that show notifications. Default: installations.",
            "unit"), transform: { try word($0, of: "unit") })
    var unit: TokenWaterfall.Unit = .installations

    @Option(
        help: .value("Show this many of the latest periods. Default: 40 in a table, otherwise all.", "rows"))
    var limit: Int?

    @OptionGroup(title: "Output") var output: ReportOutputOptions

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be 1 or more.") }
        try asValidation { _ = try window(now: .now) }
    }

    func run() async throws {
        if let server = try profile.server(unless: app.database) {
            return try await server.write("tokens", parameters, output)
        }
        let now = Instant.now
        let window = try asUsage { try self.window(now: now) }
        let report = try app.withApp { app, connection in
            try WaitingLine.whileWaiting("reading the ledger") {
                try TokenWaterfall.run(for: app, unit: unit, window: window, on: connection)
            }
        }
        try output.write(report, limit: .init(count: limit, keepsLatest: true), of: app.database)
    }

    private var parameters: ReportParameters {
        given([
            ("app", app.app), ("from", from), ("to", to), ("tz", timeZone.tz), ("by", by?.rawValue),
            ("unit", unit.rawValue), ("as_of", asOf), ("limit", limit.map(String.init)),
        ])
    }

    private func window(now: Instant) throws(ReportError) -> WaterfallWindow {
        let zone = try timeZone.zone
        return try WaterfallWindow(
            from: from, to: to, by: by, timeZone: zone,
            asOf: WindowBound.pastInstant(asOf, as: "as-of", in: zone, now: now))
    }
}
