import Foundation
import HummingbirdTesting
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

/// The database rejects statements for a while, in the middle of a load, and recovers. The server continues
/// without a restart.
@Suite(.database, .serialized, .timeLimit(.minutes(40))) struct DatabaseFaultTests {
    private static let calm = 0..<12
    private static let stormy = 12..<72
    private static let after = 72..<84

    private func storm(_ fault: @escaping @Sendable (Tally) async throws -> Void) async throws {
        let url = TestDatabase.current.url
        try await TestServer.run(
            configure: {
                $0.use(url + " application_name=landfall-fault")
                $0.respondsBeforeClientsGiveUp()
            }
        ) { server async throws in
            let storm = Storm(server: server)
            try await storm.post(Self.calm)
            async let load: Void = storm.post(Self.stormy)
            try await fault(storm.tally)
            try await load
            try await storm.post(Self.after)
            let strange = await storm.tally.strange
            #expect(strange == [])
            #expect(await storm.tally.accepted == Self.after.upperBound)
        }
        try await Storm.expectExactlyOnce(bodies: Self.after.upperBound)
    }

    /// Ends the server's sessions and returns their number.
    @discardableResult
    private func terminateSessions() async throws -> Int64 {
        try await TestDatabase.current.count(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'landfall-fault'
            """)
    }

    @Test("sessions that an administrator ends are reopened")
    func terminated() async throws {
        try await storm { tally async throws in
            for _ in 0..<5 {
                while try await terminateSessions() == 0 { await Task.yield() }
                await tally.acceptances(2)
            }
        }
    }

    @Test("the server waits for a database that is temporarily read-only, as a standby is")
    func readOnly() async throws {
        let name = TestDatabase.current.name
        try await storm { tally async throws in
            try await TestDatabase.current.execute(
                "ALTER DATABASE \(name) SET default_transaction_read_only = on")
            try await terminateSessions()
            await tally.rejections(3)
            try await TestDatabase.current.execute(
                "ALTER DATABASE \(name) RESET default_transaction_read_only")
        }
    }

    /// Shows what the server does with SQLSTATE 53100, not that PostgreSQL sends it: the disk is not really
    /// full.
    @Test("the server waits while the database reports a full disk")
    func diskFull() async throws {
        let database = TestDatabase.current
        let definition = try await database.query(
            "SELECT pg_get_functiondef('landfall.ensure_delivery_partition'::regproc)"
        ) { try $0.get(0, as: String.self) }
        try await TestServer.run { server async throws in
            try await database.execute(
                """
                CREATE OR REPLACE FUNCTION landfall.ensure_delivery_partition(day date) RETURNS boolean
                LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
                """)
            let storm = Storm(server: server)
            async let load: Void = storm.post(0..<12)
            await storm.tally.rejections(3)
            #expect(await storm.tally.accepted == 0)
            try await database.execute(try #require(definition.first))
            try await load
            let strange = await storm.tally.strange
            #expect(strange == [])
        }
        try await Storm.expectExactlyOnce(bodies: 12)
    }

    @Test("a partition dropped without the server's knowledge is created again, and no event is blamed")
    func droppedPartition() async throws {
        let database = TestDatabase.current
        try await TestServer.run { server async throws in
            let storm = Storm(server: server)
            try await storm.post(0..<6)
            let partitions = try await database.query(
                "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'landfall.delivery'::regclass"
            ) { try $0.get(0, as: String.self) }
            #expect(partitions.isEmpty == false)
            for partition in partitions { try await database.execute("DROP TABLE \(partition)") }
            try await storm.post(6..<12)
            let strange = await storm.tally.strange
            #expect(strange == [])
            #expect(await storm.tally.rejected == 0)
        }
        #expect(try await database.count("SELECT count(*) FROM landfall.delivery") == 60)
        #expect(try await database.count("SELECT count(*) FROM landfall.quarantined_item") == 0)
    }
}
