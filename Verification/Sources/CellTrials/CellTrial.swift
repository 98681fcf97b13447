internal import Basics
internal import FaultProxy
internal import ReferenceModel
internal import Synchronization

/// The databases of two cells and the servers are killed in random order, while clients post to apps of both.
public struct CellTrial: Sendable {
    private let seed: UInt64
    private let duration: Duration
    private let appsPerCell: Int

    /// - Parameter duration: how long it lasts at least. Each database and a server are killed at least once.
    public init(seed: UInt64, duration: Duration, appsPerCell: Int = 2) {
        (self.seed, self.duration, self.appsPerCell) = (seed, duration, appsPerCell)
    }

    /// 200 requests a second, so that a quiet phase and one with fewer rivals are under the same load.
    private static let pace = Duration.milliseconds(40)

    private enum Victim {
        case database(Int)
        case server
    }

    public func run(on ground: CellGround) async throws -> CellOutcome {
        var apps: [CellApp] = []
        for number in 0..<appsPerCell {
            for cell in 0..<2 { apps.append(try await ground.makeApp("cell-\(cell)-\(number)", in: cell)) }
        }
        let (timings, log, kills) = (Timings(), PostLog(), Kills())
        return try await CellClient.use({ ground.fleet.addresses }, timings) { client in
            let load = Load(apps: apps, client: client, log: log, seed: seed, pace: Self.pace)
            let known = try await load.run { try await kill(on: ground, client, kills) }
            let comparison = Comparison(ground: ground, client: client)
            var outcome = CellOutcome(items: log.items, kills: kills.counts)
            for (app, known) in zip(apps, known) {
                outcome.differences += try await comparison.differences(app, in: app.cell, known: known)
            }
            outcome.differences += try await comparison.verify() + log.troubles
            outcome.lines = timings.lines(ofCell: 0, other: 1) + timings.lines(ofCell: 1, other: 0)
            outcome.lines.append("refused: \(log.refusals.joined(separator: ", "))")
            return outcome
        }
    }

    private func kill(on ground: CellGround, _ client: CellClient, _ kills: Kills) async throws {
        var random = SeededRandom(seed: seed, stream: 10_000)
        let deadline = ContinuousClock.now + duration
        let length = min(duration / 6, .seconds(6))
        for cell in 0..<2 { try await client.waitUntilReady(cell: cell) }
        // What a client does first, servers have to look up.
        try await Task.sleep(for: min(length, .seconds(2)))
        let victims: [Victim] = [.database(0), .database(1), .server]
        repeat {
            for victim in victims.shuffled(using: &random) {
                client.timings.enter(.quiet)
                try await Task.sleep(for: length * (0.5 + random.unit()))
                switch victim {
                case .database(let cell):
                    let down = length * (0.5 + random.unit())
                    try await kill(cell: cell, for: down, on: ground, client, kills, &random)
                case .server:
                    client.timings.enter(.changing)
                    try await replaceServer(ground, kills)
                }
                try await Task.sleep(for: .seconds(1))
            }
        } while ContinuousClock.now < deadline
        client.timings.enter(.changing)
    }

    /// Kills the database of a cell and starts it again, sometimes after a server that had to start without
    /// it.
    private func kill(
        cell: Int, for duration: Duration, on ground: CellGround, _ client: CellClient, _ kills: Kills,
        _ random: inout SeededRandom
    ) async throws {
        client.timings.enter(.down(cell))
        try await ground.clusters[cell].end(.killed)
        kills.note("database \(cell)")
        try await Task.sleep(for: duration)
        client.timings.enter(.changing)
        // Without cell 0, no server starts.
        if cell != 0, random.chance(0.5) { try await replaceServer(ground, kills) }
        try await ground.clusters[cell].start()
        try await client.waitUntilReady(cell: cell)
    }

    private func replaceServer(_ ground: CellGround, _ kills: Kills) async throws {
        ground.fleet.killOne()
        kills.note("server")
        try await ground.fleet.start()
    }
}

/// Counts what was killed.
final class Kills: Sendable {
    private let state = Mutex<[String: Int]>([:])

    var counts: [String: Int] { state.withLock { $0 } }

    func note(_ name: String) { state.withLock { $0[name, default: 0] += 1 } }
}
