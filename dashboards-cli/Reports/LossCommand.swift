internal import ArgumentParser
internal import Reports

/// `landfall loss`: prints a `LossReport`.
struct LossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loss",
        abstract: "Report where notifications were lost, and why.",
        discussion: """
            Covers every step from attempted through accepted and confirmed to clicked. A notification that \
            was accepted but not confirmed counts under the first reason that applies: recalled, \
            not_reportable, not_capable, permission_off, superseded, pending, unexplained. superseded \
            (replaced by a later push with the same collapse id) is determined only with --campaign.

              landfall loss --from 7d --tz Europe/Berlin
              landfall loss --campaign spring --by app_version
              landfall loss --from 2026-03-01 --to 2026-04-01 --by week --json
            """)

    @OptionGroup var options: ReportOptions

    func run() async throws {
        try await options.write("loss") { try LossReport.run($0, on: $1, now: $2) }
    }
}
