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
            """)

    @Option(help: "Phones the senders aim at.")
    var installations = 2_000

    @Option(help: "Chooses the world: the same seed makes the same traffic on the same day.")
    var seed: UInt64 = 1

    @Flag(help: "Leave the data folder in place, and say how to look at it.")
    var keep = false

    func validate() throws {
        guard (1...1_000_000).contains(installations) else {
            throw ValidationError("--installations can be 1 to 1000000.")
        }
    }

    func run() async throws {
        var traffic = SimulationSettings(
            backfilledFrom: SimulationStart.latest(hours: 24, before: .now), hours: 24)
        traffic.installations = installations
        traffic.seed = seed
        let demo = Demo(settings: traffic, keeps: keep, style: .stdout())
        try await StopSignals.cancelling { try await demo.run() }
    }
}
