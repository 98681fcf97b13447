internal import ArgumentParser
internal import ChildPrograms

/// `landfall-bench reports`: prints `ReportsBenchReport`.
struct ReportsBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract:
            "Measure every report: of a small app, and over 30 days with 1 and with 10 million notifications.",
        discussion: """
            First, a week of a small app is posted to a server of its own, whose tables PostgreSQL never \
            analyzes: every command is timed as a whole, and compared with the start of the program \
            (landfall app list). Then, for each stage, a private PostgreSQL gets installations and \
            notifications of the last 30 whole days (half of them in 50 campaigns, half a stream over all \
            hours; 200 segments), their counters, which are verified, and sketches. Every report is run \
            several times, and the median is printed. This takes about 1 GB of disk per million, and with 10 \
            million about ten minutes.

              landfall-bench reports
              landfall-bench reports --rows 2000000 --json
              landfall-bench reports --quick
              landfall-bench reports --small
            """)

    @Flag(help: "100,000 and 1 million notifications. The figures mean little.")
    var quick = false

    @Flag(help: "Only the small app: a minute or two.")
    var small = false

    @Option(
        help:
            "Notifications of the last stage; the first stage has a tenth. (default: 10000000; with --quick 1000000)"
    )
    var rows: Int?

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard rows ?? 10_000 >= 10_000 else { throw ValidationError("--rows must be at least 10000") }
    }

    func run() async throws {
        var settings: ReportsBenchSettings = quick ? .quick : .full
        if small { settings.rows = [] }
        if let rows { settings = settings.limited(to: rows) }
        let report = try await StopSignals.cancelling { [settings] in
            try await ReportsBench(settings: settings).run()
        }
        print(try report.text(asJSON: json))
    }
}
