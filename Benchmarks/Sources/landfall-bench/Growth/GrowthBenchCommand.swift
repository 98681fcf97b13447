internal import ArgumentParser
internal import ChildPrograms

/// `landfall-bench growth`: prints `GrowthBenchReport`.
struct GrowthBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measure whether the cost of an item depends on its request, and what first contact costs.",
        discussion: """
            Every measurement starts with a new private PostgreSQL, with fsync, in which nothing is ever \
            analyzed. Items of every kind are posted one request after the other, with 10, 500 and 10,000 \
            items each. Then 100,000 responses about tokens that no app has registered, as many about \
            tokens that were just imported, and the first registrations of 50,000 installations.

              landfall-bench growth
              landfall-bench growth --quick --json
            """)

    @Flag(help: "A short run, to check that everything works. Its figures mean little.")
    var quick = false

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func run() async throws {
        let settings: GrowthBenchSettings = quick ? .quick : .full
        let report = try await StopSignals.cancelling { try await GrowthBench(settings: settings).run() }
        print(try report.text(asJSON: json))
    }
}
