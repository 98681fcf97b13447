internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Foundation

@main
struct LandfallSoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-soak",
        abstract:
            "Plays random histories and compares what is recorded with a reference that shares no code with it.",
        discussion: """
            Starts a private PostgreSQL in a folder that goes away afterwards. A history that comes out wrong is printed \
            with its seed, shrunk to the least that does; the exit code is then 1.

              landfall-soak --histories 100000 --seed 1
              landfall-soak --servers 3 --histories 2000
              landfall-soak tokens --histories 100000 --seed 1
              landfall-soak estimates
            """,
        subcommands: [EventsCommand.self, TokensCommand.self, EstimatesCommand.self],
        defaultSubcommand: EventsCommand.self)
}

/// How many histories, and which.
struct SeedOptions: ParsableArguments {
    @Option(help: "How many histories are played, each from a seed of its own, counting up.")
    var histories: UInt64 = 100_000

    @Option(help: "The first seed; without one the clock picks it.")
    var seed: UInt64?

    var seeds: Range<UInt64> {
        let first = seed ?? UInt64(Instant.now.millisecondsSinceEpoch)
        return first..<first + histories
    }

    func validate() throws {
        guard histories > 0 else { throw ValidationError("--histories must be at least 1") }
    }
}

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Notifications: rows, counters and quarantine (what is played when nothing is said).",
        discussion: """
            Example:
              landfall-soak events --servers 3 --histories 2000
            """)

    @OptionGroup var options: SeedOptions

    @Option(
        help: "Post over HTTP to so many server programs, of which one is killed now and then; 0: no servers."
    )
    var servers = 0

    func validate() throws {
        guard (0...16).contains(servers) else { throw ValidationError("--servers must be from 0 to 16") }
    }

    func run() async throws {
        let run = SoakRun(seeds: options.seeds, serverCount: servers)
        let isRight = try await StopSignals.cancelling { try await run.run() }
        if !isRight { throw ExitCode(1) }
    }
}

struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "The life of tokens: states, ledger, installations, and the states of the past.",
        discussion: """
            Example:
              landfall-soak tokens --histories 100000 --seed 1
            """)

    @OptionGroup var options: SeedOptions

    func run() async throws {
        let run = TokenSoakRun(seeds: options.seeds)
        let isRight = try await StopSignals.cancelling { try await run.run() }
        if !isRight { throw ExitCode(1) }
    }
}

/// Writes a note to stderr, where it does not get into the result.
func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
