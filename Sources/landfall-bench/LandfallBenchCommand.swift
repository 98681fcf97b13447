internal import ArgumentParser
internal import ChildPrograms
internal import Foundation

@main
struct LandfallBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-bench",
        abstract: "Measures events per second on this machine, beside the same SQL driven directly.",
        discussion: """
            Starts a private PostgreSQL, with fsync, and landfall-server in a folder that goes away afterwards, and \
            posts answers and arrivals with wrk: one per request, 5,000 per request, and the latter once more. Then \
            the writer records the same events without HTTP, and its statements are sent once more with ready \
            parameters. Figures depend on the machine and on what else runs there; the ratios are what counts.

              landfall-bench
              landfall-bench --quick --json
            """)

    @Flag(help: "A short run, to see that it works. Its figures are worth little.")
    var quick = false

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func run() async throws {
        let settings: BenchSettings = quick ? .quick : .full
        let report = try await StopSignals.cancelling { try await Bench(settings: settings).run() }
        print(json ? try report.json() : BenchTable(report).lines.joined(separator: "\n"))
    }
}

/// Writes a note to stderr, where it does not get into the result.
func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
