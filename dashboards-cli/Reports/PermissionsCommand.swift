internal import ArgumentParser
internal import Reports

/// `landfall permissions`: prints a `PermissionsReport`.
struct PermissionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permissions",
        abstract: "Report how many installations allow notifications, and who changed that.",
        discussion: """
            Counts installations by the permission that they had at the end of the window, or of each \
            period, and the changes in between: who answered for the first time, who turned notifications \
            off, and on. Only hour, day, week, month, platform, app_version, os_version and language are \
            known of installations: the other breakdowns and filters are errors.

              landfall permissions --by day --tz Europe/Berlin
              landfall permissions --from 30d --by app_version --sort opt_in
              landfall permissions --as-of 2026-03-01 --platform ios --json
            """)

    @OptionGroup var options: ReportOptions

    @Option(
        name: .customLong("as-of"),
        help: ArgumentHelp(
            "Report as if at this instant: 7d counts from it, and nothing later is included. Default: now.",
            valueName: "when"))
    var asOf: String?

    func run() async throws {
        try await options.write("permissions", asOf: asOf) {
            try PermissionsReport.run($0, on: $1, now: $2, isPast: asOf != nil)
        }
    }
}
