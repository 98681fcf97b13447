import FaultProxy
import PostgresClient
import TestDatabase
import Testing

@Suite("Locks that outlive transactions", .database, .timeLimit(.minutes(40))) struct HeldLockTests {
    private let database = TestDatabase.current

    private static func connect(_ url: String) throws -> PostgresConnection {
        try TestDatabase.connect(to: url, preparesStatements: false)
    }

    private static func isFree(_ lock: AdvisoryLock, of appID: Int64 = 0, _ connection: PostgresConnection)
        throws -> Bool
    {
        do {
            return try connection.withLock(lock, of: appID) { _ in true }
        } catch is LockTaken {
            return false
        }
    }

    private static func endHolders(of lock: AdvisoryLock, _ connection: PostgresConnection) throws {
        try connection.execute(
            script: SQLFile(
                name: "test/end",
                text: """
                    SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
                    WHERE locktype = 'advisory' AND classid = \(lock.rawValue)
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """))
    }

    @Test("a lock excludes other programs until it is released, for its app alone")
    func exclusion() throws {
        let (one, other) = (try Self.connect(database.url), try Self.connect(database.url))
        let held = try #require(try one.hold(.tokenRun, of: 1))
        #expect(try !Self.isFree(.tokenRun, of: 1, other))
        #expect(try !Self.isFree(.tokenRun, of: 1, one))
        #expect(try Self.isFree(.tokenRun, of: 2, other))
        #expect(try Self.isFree(.maintenance, other))
        try held.check()
        held.release()
        #expect(try Self.isFree(.tokenRun, of: 1, other))
    }

    @Test("a kept lock is shared, excludes a program that wants it alone, and is taken again if it was lost")
    func shared() async throws {
        let (one, other) = (try Self.connect(database.url), try Self.connect(database.url))
        #expect(try one.keep(.tokenKey))
        #expect(try other.keep(.tokenKey))
        other.letGo(.tokenKey)
        #expect(try !Self.isFree(.tokenKey, other))
        try Self.endHolders(of: .tokenKey, other)
        #expect(try Self.isFree(.tokenKey, other))
        #expect(try one.keep(.tokenKey))
        #expect(try !Self.isFree(.tokenKey, other))
    }

    @Test("a program learns that its lock is lost")
    func lost() throws {
        let (one, other) = (try Self.connect(database.url), try Self.connect(database.url))
        let held = try #require(try one.hold(.maintenance))
        try Self.endHolders(of: .maintenance, other)
        #expect(throws: PostgresError.self) { try held.check() }
    }

    @Test("an open transaction that holds a lock keeps no snapshot, whatever the database's settings are")
    func harmless() async throws {
        for setting in [
            "default_transaction_isolation = 'repeatable read'",
            "idle_in_transaction_session_timeout = '50ms'",
        ] {
            try await database.execute("ALTER DATABASE \(database.name) SET \(setting)")
        }
        let one = try Self.connect(database.url)
        let held = try #require(try one.hold(.maintenance))
        let open = SQLFile(
            name: "test/open",
            text: """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND state = 'idle in transaction' AND backend_xmin IS NULL
                  AND backend_xid IS NULL AND clock_timestamp() - state_change > interval '200 ms'
                """)
        // The session would have ended if it could be idle for only 50 ms.
        while try one.query(open).single().get(0, as: Int64.self) == 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
        try held.check()
    }

    @Test("through PgBouncer in transaction mode, a lock excludes others and ends with its release")
    func pooled() async throws {
        let (direct, name) = (database.url, database.name)
        try await PgBouncer.run(upstream: database.socketFolder) { bouncer in
            let url = bouncer.url(database: name)
            for _ in 0..<5 {
                let one = try Self.connect(url)
                let held = try #require(try one.hold(.maintenance))
                // Other clients, to whose transactions PgBouncer would lend the lock's session.
                for _ in 0..<5 { #expect(try !Self.isFree(.maintenance, Self.connect(url))) }
                #expect(try !Self.isFree(.maintenance, Self.connect(direct)))
                held.release()
                #expect(try Self.isFree(.maintenance, Self.connect(direct)))
            }
        }
    }
}
