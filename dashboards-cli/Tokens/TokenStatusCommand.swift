internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient
internal import Reports

struct TokenStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Report how many tokens are in each state.",
        discussion: """
            The audience is the installations with an active token of a kind that shows notifications, \
            unless their permission is denied; a token that no installation has registered counts by itself. \
            With --as-of, the ledger shows what was known then: tokens by state, and installations by the \
            best state of the tokens they hold that show notifications.

              landfall tokens status --app shop
              landfall tokens status --app shop --as-of 2026-03-01 --tz Europe/Berlin
            """)

    @OptionGroup var app: AppOptions
    @OptionGroup var profile: ProfileOption

    @Option(
        help: .when(
            "Show what was decided before this instant: \(InstantForms.local), now. Default: the present state."
        ))
    var asOf: String?

    @OptionGroup var timeZone: TimeZoneOption
    @OptionGroup(title: "Output") var output: ReportOutputOptions

    func validate() throws { try asValidation { _ = try instant(now: .now) } }

    private func instant(now: Instant) throws(ReportError) -> Instant {
        let zone = try timeZone.zone
        return try WindowBound.pastInstant(asOf, as: "as-of", in: zone, now: now)
    }

    func run() async throws {
        if let server = try profile.server(unless: app.database) {
            let parameters = given([("app", app.app), ("as_of", asOf), ("tz", timeZone.tz)])
            return try await server.write("tokens/status", parameters, output)
        }
        let now = Instant.now
        let instant = try asUsage { try self.instant(now: now) }
        let report = try app.withApp { app, connection in
            try WaitingLine.whileWaiting("counting tokens") {
                asOf == nil
                    ? try TokenStatusReport.run(for: app, on: connection, now: now)
                    : try TokenStatusReport.run(for: app, asOf: instant, on: connection)
            }
        }
        try output.write(report, of: app.database)
    }
}
