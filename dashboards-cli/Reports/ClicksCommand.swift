internal import ArgumentParser
internal import Reports

/// `landfall clicks`: prints a `ClicksReport`.
struct ClicksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clicks",
        abstract: "Report clicks, dismissals and click-through.",
        discussion: """
            Click-through is clicked divided by confirmed, the notifications that certainly reached a \
            device. A dismissal is not a click.

              landfall clicks --from 24h --by hour --tz Europe/Berlin
              landfall clicks --from 30d --by campaign,variant --csv
              landfall clicks --by action
              landfall clicks --by campaign,app_state

            By action, category or app_state, clicks that opened the app are told apart from actions \
            that it handled in the background. These are read from the notifications, which takes \
            longer and goes back only as far as they are kept.
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.write("clicks") {
            if $0.needsClicks { return try ClickKindsReport.run($0, on: $1, now: $2) }
            return try ClicksReport.run($0, on: $1, now: $2)
        }
    }
}
