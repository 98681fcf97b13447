internal import ArgumentParser
internal import Reports

/// `landfall reach`: prints `ReachReport`.
struct ReachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reach",
        abstract: "How many installations were aimed at, reached and engaged.",
        discussion: """
            Distinct installations (the app on a device): one that was reached on two days counts once in the totals, so the \
            totals are not the sum of the rows. The audience is always the present one.

              landfall reach --from 7d --tz Europe/Berlin
              landfall reach --from 2026-03-01 --to 2026-04-01 --by week --csv
            """)

    @OptionGroup var options: ReportOptions

    func run() throws {
        let report = try options.ask { try ReachReport.run($0, on: $1, now: $2) }
        try options.write(
            report, csv: ReachCSV.text(of: report), page: { ReachTable(report, .page).htmlPage },
            table: { ReachTable(report, $0).lines })
    }
}
