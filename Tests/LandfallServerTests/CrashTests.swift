import Access
import Foundation
import PostgresClient
import Reports
import Simulation
import Synchronization
import TestDatabase
import Testing

/// The server is killed in the middle of a load; clients repeat requests without a response.
@Suite(.database) struct CrashTests {
    private static let start = Instant(
        millisecondsSinceEpoch: (Instant.now - .days(3)).millisecondsSinceEpoch / 3_600_000 * 3_600_000)

    /// One day's events in bodies of 40.
    private let bodies: [[UInt8]] = {
        let events = TrafficSimulation.generate(
            SimulationSettings(
                seed: 11, start: Self.start.millisecondsSinceEpoch, hours: 24, installations: 300,
                campaigns: 6,
                reportsDeviceClock: false)
        ).events
        return stride(from: 0, to: events.count, by: 40).map { start in
            [0x5B] + Array(events[start..<min(start + 40, events.count)].joined(separator: [0x2C])) + [0x5D]
        }
    }()

    /// Posts all bodies, eight at a time.
    private func post(
        key: String, responded: @escaping @Sendable () -> Void, port: @escaping @Sendable () -> Int
    ) async throws {
        let client = PersistentClient(key: key, port: port)
        let bodies = bodies
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    for position in stride(from: lane, to: bodies.count, by: 8) {
                        try await client.post(bodies[position])
                        responded()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("kill -9 in the middle of a load loses nothing and counts nothing twice", .timeLimit(.minutes(40)))
    func killed() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-crash-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = TestDatabase.current.url
        let (calm, calmKeys) = try await TestServer.makeApp("calm")
        let (stormy, stormyKeys) = try await TestServer.makeApp("stormy")

        let first = try await StartedServer.start(database: database, dataFolder: folder)
        try await post(key: try #require(calmKeys[.server]), responded: {}, port: { first.port })

        let state = Mutex(Storm(program: first))
        let total = bodies.count
        async let load: Void = post(
            key: try #require(stormyKeys[.server]), responded: { state.withLock { $0.responded += 1 } },
            port: { state.withLock { $0.program.port } })
        for share in [1, 2, 3] {
            while state.withLock({ $0.responded }) < total * share / 5 {
                try await Task.sleep(for: .milliseconds(1))
            }
            state.withLock { $0.program.kill() }
            let next = try await StartedServer.start(database: database, dataFolder: folder)
            state.withLock { $0.program = next }
        }
        try await load
        #expect(state.withLock { $0.responded } == total)
        #expect(state.withLock { $0.program.terminate() } == 0)

        let verification = try await TestDatabase.current.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications > 1_000)
        try await expectSame(
            documents(of: stormy, from: Self.start), documents(of: calm, from: Self.start))
    }

    private struct Storm {
        var program: StartedServer
        var responded = 0
    }
}
