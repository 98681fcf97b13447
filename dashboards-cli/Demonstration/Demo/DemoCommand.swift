internal import ArgumentParser
internal import ChildPrograms
internal import Instants
internal import Simulation

/// `landfall demo`: a day of simulated traffic through a real server and a real database, and every report about it.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Simulate a day, report on it, and check the numbers.",
        discussion: """
            Starts a private PostgreSQL and landfall-server in a temporary folder, posts a day of traffic \
            whose numbers are all known, prints the reports, recounts the counters, and compares all of it \
            with what really happened. Exits with 1 if anything differs. The folder is removed afterward. \
            Neither the data in LANDFALL_DATA nor any other database is touched.

              landfall demo
              landfall demo --installations 20000 --seed 7 --keep
              landfall demo --end 2026-03-02
            """)

    @Option(help: "The number of simulated installations.")
    var installations = 2_000

    @Option(help: "The seed of the simulation: the same seed and end generate the same traffic.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "When the day of traffic ends: 2026-03-02 (UTC) or 2026-03-02T09:30:00+01:00. Default: now, rounded down to a quarter hour.",
            valueName: "instant"),
        transform: SimulationOptions.instant)
    var end: Instant?

    @Flag(help: "Keep the data folder, and print the commands to explore it.")
    var keep = false

    func validate() throws {
        guard (1...1_000_000).contains(installations) else {
            throw ValidationError("--installations must be between 1 and 1000000.")
        }
        guard end ?? .now <= .now else { throw ValidationError("--end must not be in the future.") }
    }

    func run() async throws {
        let now = Instant.now
        var traffic = SimulationSettings(endingAt: end ?? now.startOfQuarter, hours: 24, now: now)
        traffic.installations = installations
        traffic.seed = seed
        let demo = Demo(settings: traffic, keeps: keep, style: .stdout())
        try await StopSignals.cancelling { try await demo.run() }
    }
}
