internal import ArgumentParser
internal import Rendering
internal import Reports

/// `landfall reach`: prints a `ReachReport`.
struct ReachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reach",
        abstract: "Report how many installations were reached.",
        discussion: """
            Counts distinct installations (the app on a device). An installation that was reached on two \
            days counts once in the totals, so the totals are not the sum of the rows. The audience is \
            always the present one. If notifications of the window have been dropped (retention), the \
            command exits with an error.

            If landfall sketch has been run once, windows of more than three days are estimated from \
            sketches, in a fraction of the time and with a standard error of 0.8 %; such numbers are marked \
            with ≈. Breakdowns and filters by anything other than time, campaign and variant are always \
            exact.

              landfall reach --from 7d --tz Europe/Berlin
              landfall reach --from 2026-03-01 --to 2026-04-01 --by week --csv
              landfall reach --from 90d --by campaign --exact
            """)

    @OptionGroup var options: ReportOptions

    @Flag(help: "Count the notifications instead of using sketches, however long it takes.")
    var exact = false

    func run() async throws {
        try await options.write("reach", flag: exact ? "exact" : nil) {
            try ReachReport.run($0, on: $1, now: $2, exactly: exact)
        }
    }
}
