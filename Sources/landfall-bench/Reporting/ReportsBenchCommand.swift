internal import ArgumentParser
internal import ChildPrograms

/// `landfall-bench reports`: prints `ReportsBenchReport`.
struct ReportsBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract:
            "Measures every report: of a small app, and over 30 days with 1 and with 10 million notifications.",
        discussion: """
            First a week of a small app, posted to a server of its own and never analyzed by PostgreSQL: every command is timed \
            as a whole, beside the start of the program (landfall app list). Then a private PostgreSQL for each stage gets installations and notifications of the last 30 whole days (half of them 50 \
            campaigns, half a stream over all hours; 200 segments), their counters, which are verified, and sketches. Then \
            every report is asked several times; what is printed is the median. Needs about 1 GB of disk per million, and \
            with the 10 million about ten minutes.

              landfall-bench reports
              landfall-bench reports --rows 2000000 --json
              landfall-bench reports --quick
              landfall-bench reports --small
            """)

    @Flag(help: "100,000 and 1 million notifications. Its figures are worth little.")
    var quick = false

    @Flag(help: "Only the small app: a minute or two.")
    var small = false

    @Option(
        help:
            "Notifications of the last stage; the first has a tenth. (default: 10000000; with --quick 1000000)"
    )
    var rows: Int?

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard rows ?? 10_000 >= 10_000 else { throw ValidationError("--rows is at least 10000") }
    }

    func run() async throws {
        var settings: ReportsBenchSettings = quick ? .quick : .full
        if small { settings.rows = [] }
        if let rows { settings = settings.limited(to: rows) }
        let report = try await StopSignals.cancelling { [settings] in
            try await ReportsBench(settings: settings).run()
        }
        print(json ? try report.json() : report.lines.joined(separator: "\n"))
    }
}
