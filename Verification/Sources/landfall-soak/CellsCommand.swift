internal import ArgumentParser
internal import CellTrials
internal import ChildPrograms
internal import DeliveryModel
internal import Foundation

struct CellsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cells",
        abstract: "Kill databases and servers of two cells, then move an app between the cells.",
        discussion: """
            Starts two private PostgreSQL servers and two servers with a cell in each, which eight clients post \
            to. First, the databases and the servers are killed in random order. Then an app is moved from cell \
            to cell while clients post to it and a reader follows its feed; the command is killed at random \
            moments. What was acknowledged must be recorded once, and the feed must be exact; otherwise the \
            exit code is 1. Also prints how long requests to one cell take while the other one is down.

            Example:
              landfall-soak cells --seconds 300 --events 100000 --seed 1
            """)

    @Option(help: "How long databases and servers are killed; 0 for no kill.")
    var seconds = 300

    @Option(help: "The number of items that are posted to the app that moves; 0 for no move.")
    var events = 100_000

    @Option(help: "The number of moves.")
    var moves = 4

    @Option(help: "The seed. Default: derived from the clock.")
    var seed: UInt64?

    func validate() throws {
        guard seconds >= 0, events >= 0, moves > 0 else {
            throw ValidationError("--seconds and --events must be at least 0, and --moves at least 1")
        }
    }

    func run() async throws {
        let seed = seed ?? UInt64(Instant.now.millisecondsSinceEpoch)
        let isRight = try await StopSignals.cancelling {
            let programs = try ServerProgram.executable().deletingLastPathComponent()
            return try await CellGround.use(programs: programs) { try await run(seed: seed, on: $0) }
        }
        if !isRight { throw ExitCode(1) }
    }

    private func run(seed: UInt64, on ground: CellGround) async throws -> Bool {
        var isRight = true
        if seconds > 0 {
            let outcome = try await CellTrial(seed: seed, duration: .seconds(seconds)).run(on: ground)
            print(outcome.description)
            isRight = outcome.isRight
        }
        if events > 0 {
            let outcome = try await MoveTrial(seed: seed, events: events, moves: moves).run(on: ground)
            print(outcome.description)
            isRight = isRight && outcome.isRight
        }
        print("seed \(seed)")
        return isRight
    }
}
