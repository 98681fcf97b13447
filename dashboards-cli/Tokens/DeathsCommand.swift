internal import ArgumentParser
internal import DeliveryModel
internal import PostgresClient
internal import Reports

struct DeathsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deaths", abstract: "Report how often each rule retired a token by mistake.",
        discussion: """
            Counts how many of the tokens that a rule retired in the window have since become active again, \
            were accepted later, or were registered again. The number is an upper bound: an app that was \
            deleted and installed again may get the same token again, although the death was real.

              landfall tokens deaths --app shop --from 30d
              landfall tokens deaths --html > deaths.html
            """)

    @OptionGroup var app: AppOptions

    @Option(help: .when("Count tokens retired at or after this instant: \(InstantForms.utc). Default: 90d."))
    var from: String = "90d"

    @Option(
        help: .when("Count tokens retired before this instant, in the same formats as --from. Default: now."))
    var to: String?

    @OptionGroup(title: "Output") var output: ReportOutputOptions

    func validate() throws { _ = try window(now: .now) }

    func run() throws {
        let now = Instant.now
        let window = try window(now: now)
        try app.withApp { app, connection in
            let report = try FalseDeathsReport.run(for: app, in: window, on: connection, now: now)
            try output.write(report, of: self.app.database)
        }
    }

    private func window(now: Instant) throws -> Range<Instant> {
        let start = try instant(from, option: "--from", now: now) ?? now
        let end = try instant(to, option: "--to", now: now) ?? now
        guard start < end else { throw ValidationError("--from must be before --to.") }
        return start..<end
    }
}
