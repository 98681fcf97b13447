import HTTPTypes
import HummingbirdTesting
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

@testable import Ingestion

/// More arrives than the database can write.
@Suite(.databaseForLong, .serialized, .timeLimit(.minutes(40))) struct OverloadTests {
    private static let bodies = 40
    /// The number of the client's connections to a server: further requests would wait for one of these, not
    /// for the server.
    private static let lanes = 8

    @Test(
        "if the queue is full, the server responds 503 with Retry-After, and what it accepted is recorded once",
        arguments: [
            BatchSize(items: 60, bytes: 64 << 20),
            // About three bodies.
            BatchSize(items: 100_000, bytes: 15_000),
        ])
    func fullQueue(_ queued: BatchSize) async throws {
        try await TestServer.run(
            configure: {
                $0.limits.queued.items = ServerConfiguration.limit(ofCell: queued.items)
                $0.limits.queued.bytes = ServerConfiguration.limit(ofCell: queued.bytes)
                $0.respondsBeforeClientsGiveUp()
            }
        ) { server async throws in
            let storm = Storm(server: server)
            try await storm.post(0..<1)
            let blocker = try TestDatabase.current.connect()
            try blocker.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.delivery"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<Self.lanes {
                    group.addTask {
                        for number in stride(from: 1 + lane, to: Self.bodies, by: Self.lanes) {
                            try await storm.post(number..<number + 1)
                        }
                    }
                }
                await storm.tally.rejections(50)
                // Nothing is acknowledged while nothing can be written.
                #expect(await storm.tally.accepted == 1)
                try blocker.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
                try await group.waitForAll()
            }
            #expect(await storm.tally.accepted == Self.bodies)
            let strange = await storm.tally.strange
            #expect(strange == [])
            let metrics = try await server.send(.get, "/metrics", as: nil).text
            let overloaded = await storm.tally.overloaded
            #expect(metrics.contains("\nlandfall_overloaded_total \(overloaded)\n"))
            // Nothing is left in the queue or its counts: a body that fills both is accepted.
            #expect(try await server.post(Storm.body(0)).counts == [0, 30, 0])
        }
        try await Storm.expectExactlyOnce(bodies: Self.bodies)
    }
}
