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
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.write("clicks") { try ClicksReport.run($0, on: $1, now: $2) }
    }
}
