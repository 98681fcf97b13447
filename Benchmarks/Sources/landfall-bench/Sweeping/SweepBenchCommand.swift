internal import ArgumentParser
internal import ChildPrograms

/// `landfall-bench sweep`: prints `SweepBenchReport`.
struct SweepBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract:
            "Measure a sweep compared with one plain UPDATE of the same rows, and what it costs ingestion.",
        discussion: """
            A private PostgreSQL, with fsync, gets --tokens registered tokens. A tenth has been stale long \
            enough for a sweep to retire it, and another tenth has been silent long enough to become stale. \
            The plain statements change these rows and are rolled back. Then the sweep changes them \
            permanently: half of the stale ones alone, and half while about 1,000 single events per second \
            are posted. This takes about 1.5 GB of disk per million tokens.

              landfall-bench sweep
              landfall-bench sweep --tokens 1000000 --json
              landfall-bench sweep --quick
            """)

    @Flag(help: "A short run, to check that everything works. Its figures mean little.")
    var quick = false

    @Option(help: "Registered tokens. (default: 10000000; with --quick 100000)")
    var tokens: Int?

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard tokens ?? 10_000 >= 10_000 else { throw ValidationError("--tokens must be at least 10000") }
    }

    func run() async throws {
        var settings: SweepBenchSettings = quick ? .quick : .full
        if let tokens { settings.tokens = tokens }
        let report = try await StopSignals.cancelling { [settings] in
            try await SweepBench(settings: settings).run()
        }
        print(try report.text(asJSON: json))
    }
}
