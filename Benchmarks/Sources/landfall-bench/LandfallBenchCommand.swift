internal import ArgumentParser
internal import ChildPrograms
internal import Foundation

@main
struct LandfallBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-bench", abstract: "Measure what Landfall does on this machine.",
        subcommands: [
            IngestionBenchCommand.self, GrowthBenchCommand.self, SweepBenchCommand.self,
            ReportsBenchCommand.self,
        ],
        defaultSubcommand: IngestionBenchCommand.self)
}

/// `landfall-bench` without a subcommand: prints `BenchReport`.
struct IngestionBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingestion",
        abstract: "Measure what the server does on this machine, and compare it with SQL and a no-op.",
        discussion: """
            Starts a private PostgreSQL, with fsync, and landfall-server in a temporary folder, and posts \
            responses and arrivals: one per request; 5,000 per request; the latter once more; and more than \
            the server can handle. Then the writer records the same events without HTTP, and \
            its statements are sent once more with ready parameters. Everything runs with empty tables, and \
            again with --rows in them, which takes about 1.2 GB of disk per million. The figures depend on \
            the machine and on what else runs on it; the ratios are what counts. docs/development.md \
            explains them.

              landfall-bench
              landfall-bench --quick --json
              landfall-bench --rows 0
            """)

    @Flag(help: "A short run, to check that everything works. Its figures mean little.")
    var quick = false

    @Option(
        help: "Notifications of the last 30 days in the second stage; 0 skips it. (default: 10000000)")
    var rows: Int?

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func validate() throws {
        guard rows ?? 0 >= 0 else { throw ValidationError("--rows must not be negative") }
    }

    func run() async throws {
        var settings: BenchSettings = quick ? .quick : .full
        if let rows { settings.rows = rows }
        let report = try await StopSignals.cancelling { [settings] in try await Self.measure(settings) }
        print(try report.text(asJSON: json))
    }

    private static func measure(_ settings: BenchSettings) async throws -> BenchReport {
        try BenchServer.check()
        let compiler = try await Machine.swiftVersion()
        var stages = [try await StageMeasurement(settings: settings, rows: 0).run()]
        if settings.rows > 0 {
            stages.append(try await StageMeasurement(settings: settings, rows: settings.rows).run())
        }
        let machine = Machine(postgres: stages[0].postgres, swift: compiler)
        return BenchReport(machine: machine, settings: settings, stages: stages)
    }
}

/// Writes a note to stderr, which keeps it out of the result on stdout.
func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
