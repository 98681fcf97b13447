internal import ArgumentParser
internal import ChildPrograms
internal import DeliveryModel
internal import Foundation

@main
struct LandfallSoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landfall-soak",
        abstract:
            "Play random histories and compare what is recorded with a reference that shares no code with it.",
        discussion: """
            Starts a private PostgreSQL in a temporary folder. A history with a wrong result is printed with \
            its seed, reduced to the smallest part that still fails; the exit code is then 1.

              landfall-soak --histories 100000 --seed 1
              landfall-soak --servers 3 --histories 2000
              landfall-soak tokens --histories 100000 --seed 1
              landfall-soak estimates
              landfall-soak kit --runs 100000
              landfall-soak cells --seconds 300 --events 100000
            """,
        subcommands: [
            EventsCommand.self, TokensCommand.self, EstimatesCommand.self, KitCommand.self, CellsCommand.self,
        ],
        defaultSubcommand: EventsCommand.self)
}

/// The number of histories, and the first seed.
struct SeedOptions: ParsableArguments {
    @Option(help: "The number of histories, each with its own seed, counting up.")
    var histories: UInt64 = 100_000

    @Option(help: "The first seed. Default: derived from the clock.")
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
        abstract: "Play notifications: rows, counters and quarantine (the default).",
        discussion: """
            Example:
              landfall-soak events --servers 3 --histories 2000
            """)

    @OptionGroup var options: SeedOptions

    @Option(
        help: "Post over HTTP to this many server programs, one of which is killed now and then; 0 for none."
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
        abstract: "Play the life of tokens: states, ledger, installations, and past states.",
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

/// Writes a note to stderr, which keeps it out of the result on stdout.
func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}
