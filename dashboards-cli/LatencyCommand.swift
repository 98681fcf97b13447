internal import ArgumentParser
internal import Reports

/// `landfall latency`: prints `LatencyReport`.
struct LatencyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "How long notifications took, from sending to arrival and to the click.",
        discussion: """
            Half of them, nine of ten and 99 of 100 took at most so long (p50, p90, p99), at most 4.9 % off, and how many took how \
            long. Only notifications count that arrived and said when. By the device's clock, corrected where it can be.

              landfall latency --from 7d --by day --tz Europe/Berlin
              landfall latency --campaign spring --by variant
              landfall latency --by os_version --json

            Periods, campaigns and variants are read from counters; everything else reads the notifications, which takes longer \
            and goes back as far as these are kept.
            """)

    @OptionGroup var options: ReportOptions

    func run() throws {
        let report = try options.ask { try LatencyReport.run($0, on: $1, now: $2) }
        try options.write(
            report, csv: LatencyCSV.text(of: report), page: { LatencyTable(report, .page).htmlPage },
            table: { LatencyTable(report, $0).lines })
    }
}
