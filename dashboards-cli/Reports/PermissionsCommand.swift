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
            off, and on. They can be broken down by hour, day, week, month, and filtered and broken down by \
            platform, app_version, os_version and language.

            By campaign or variant, counts the installations that turned notifications off within 24 hours \
            after the first push to them, compared with how many of the app do on a usual day.

              landfall permissions --by day --tz Europe/Berlin
              landfall permissions --from 30d --by app_version --sort opt_in
              landfall permissions --by campaign --sort opt_out
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
            if $0.isOfCampaigns { return try OptOutsReport.run($0, on: $1, now: $2) }
            return try PermissionsReport.run($0, on: $1, now: $2, isPast: asOf != nil)
        }
    }
}
