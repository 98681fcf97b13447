internal import Basics
internal import Foundation
internal import ReferenceModel

/// An app is moved from one cell to the other and back, while clients post to it and a reader follows its
/// feed. The command is killed at random moments, and run again.
public struct MoveTrial: Sendable {
    private let seed: UInt64
    private let events: Int
    private let moves: Int
    private let killsPerMove: Int

    /// - Parameters:
    ///   - events: the items that are posted at least; the moves are spread over them.
    ///   - killsPerMove: how often the command is killed at most while it moves the app.
    public init(seed: UInt64, events: Int, moves: Int, killsPerMove: Int = 8) {
        (self.seed, self.events, self.moves) = (seed, events, moves)
        self.killsPerMove = killsPerMove
    }

    /// Longer than servers remember in which cell a key is.
    private static let settled = Duration.seconds(6)
    private static let mostAttempts = 300
    private static let slug = "moving"

    public func run(on ground: CellGround) async throws -> CellOutcome {
        let app = try await ground.makeApp(Self.slug, in: 0)
        let (log, kills, timings) = (PostLog(), Kills(), Timings())
        return try await CellClient.use({ ground.fleet.addresses }, timings) { client in
            for cell in 0..<2 { try await client.waitUntilReady(cell: cell) }
            let load = Load(apps: [app], client: client, log: log, seed: seed, pace: nil)
            let known = try await load.run { try await moveThereAndBack(ground, log, kills) }
            let last = moves % 2
            let comparison = Comparison(ground: ground, client: client)
            var outcome = CellOutcome(items: log.items, kills: kills.counts)
            for found in known {
                outcome.differences += try await comparison.differences(app, in: last, known: found)
                outcome.lines.append(
                    "\(moves) moves; the feed had \(found.reading.rows.count) rows; a server did not know the "
                        + "reader's place \(found.reading.unknownCursors) times")
            }
            outcome.differences += try await comparison.leftovers(of: app, now: last, in: 1 - last)
            outcome.differences += try await comparison.verify() + log.troubles
            outcome.lines.append("refused: \(log.refusals.joined(separator: ", "))")
            return outcome
        }
    }

    private func moveThereAndBack(_ ground: CellGround, _ log: PostLog, _ kills: Kills) async throws {
        var random = SeededRandom(seed: seed, stream: 20_000)
        for move in 0..<moves {
            try await wait(for: events * (move + 1) / (moves + 1), log)
            try await apply(to: (move + 1) % 2, ground, kills, &random)
            // Sometimes a server still takes the old cell for the app's.
            if random.chance(0.5) { try await Task.sleep(for: Self.settled) }
            try await confirm(to: (move + 1) % 2, ground, kills, &random)
            guard random.chance(0.3) else { continue }
            ground.fleet.killOne()
            kills.note("server")
            try await ground.fleet.start()
        }
        try await wait(for: events, log)
        try await Task.sleep(for: Self.settled)
    }

    private func wait(for items: Int, _ log: PostLog) async throws {
        while log.items < items { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Moves the app. Some broken moves are undone before the next attempt.
    private func apply(
        to cell: Int, _ ground: CellGround, _ kills: Kills, _ random: inout SeededRandom
    ) async throws {
        var (left, longest) = (killsPerMove, 500_000)
        try await attempt("--apply", to: cell, ground) {
            guard left > 0 else { return nil }
            left -= 1
            // A command that takes longer is killed at later moments, too.
            longest += longest / 2
            return UInt32(random.below(longest))
        } afterKill: {
            kills.note("move")
            guard random.chance(0.2) else { return }
            let end = try await ground.end(of: Self.arguments(to: cell) + ["--abort"])
            if end.code == 0 { kills.note("move, which was then undone") }
        }
    }

    /// Removes the app's rows from the cell that it has left.
    private func confirm(
        to cell: Int, _ ground: CellGround, _ kills: Kills, _ random: inout SeededRandom
    ) async throws {
        var left = 2
        try await attempt("--confirm", to: cell, ground) {
            guard left > 0 else { return nil }
            left -= 1
            return UInt32(random.below(1_000_000))
        } afterKill: {
            kills.note("removal")
        }
    }

    /// Runs a step of the move until it has succeeded.
    ///
    /// - Parameters:
    ///   - killedAfter: the microseconds after which the next attempt is killed; `nil` if it is not.
    ///   - afterKill: called after a kill.
    private func attempt(
        _ step: String, to cell: Int, _ ground: CellGround, killedAfter: () -> UInt32?,
        afterKill: () async throws -> Void
    ) async throws {
        let arguments = Self.arguments(to: cell) + [step]
        var last = CellGround.End(code: nil, output: "")
        for _ in 0..<Self.mostAttempts {
            last = try await ground.end(of: arguments, killedAfter: killedAfter())
            guard let code = last.code else {
                try await afterKill()
                continue
            }
            // A killed removal may have been complete.
            if code == 0 || last.output.contains("no other has rows of it") { return }
            // The killed one's session may still hold its locks.
            try await Task.sleep(for: .milliseconds(200))
        }
        throw CellGround.CommandFailed(arguments: arguments, code: last.code, output: last.output)
    }

    private static func arguments(to cell: Int) -> [String] { ["app", "move", slug, "--to", "\(cell)"] }
}
