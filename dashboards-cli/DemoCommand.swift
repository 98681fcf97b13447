internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Simulation

/// `landfall demo`: a day of made-up traffic through a real server and a real database, and every report
/// about it.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows everything with a day of made-up traffic, and proves that every number is right.",
        discussion: """
            Starts a private PostgreSQL and landfall-server in a folder that goes away afterwards, posts a \
            day of traffic of which every number is known, prints the reports, recounts the counters, and \
            compares all of it with what really happened. Exit code 1 when anything differs. Touches neither \
            the data in LANDFALL_DATA nor any other database.

              landfall demo
              landfall demo --installations 20000 --seed 7 --keep
              landfall demo --end 2026-03-02
            """)

    @Option(help: "Phones the senders aim at.")
    var installations = 2_000

    @Option(help: "Chooses the world: the same seed and end make the same traffic.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "When the day of traffic ends: 2026-03-02 (UTC) or 2026-03-02T09:30:00+01:00. Default: now, by whole quarter hours.",
            valueName: "instant"),
        transform: SimulatedWindow.read)
    var end: Instant?

    @Flag(help: "Leave the data folder in place, and say how to look at it.")
    var keep = false

    func validate() throws {
        guard (1...1_000_000).contains(installations) else {
            throw ValidationError("--installations can be 1 to 1000000.")
        }
        guard end ?? .now <= .now else { throw ValidationError("--end must not lie in the future.") }
    }

    func run() async throws {
        let now = Instant.now
        let window = SimulatedWindow(endingAt: end ?? SimulatedWindow.latestEnd(now), hours: 24)
        var traffic = SimulationSettings(window, now: now)
        traffic.installations = installations
        traffic.seed = seed
        let demo = Demo(settings: traffic, keeps: keep, style: .stdout())
        try await StopSignals.cancelling { try await demo.run() }
    }
}
