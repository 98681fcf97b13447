import DeliveryModel
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

@Suite("The room that a sweep leaves for others", .database) struct SweepRoomTests {
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private var database: TestDatabase { .current }

    /// Adds active tokens without an installation, last heard from 90 days ago.
    private func addTokens(_ count: Int64, expiresAt: Instant? = nil) async throws {
        try await database.execute("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try await database.execute(
            "INSERT INTO landfall.app_sign_of_life (app_id, heard_at) VALUES (\(firstApp), $1)",
            [.value(now - .hours(1))])
        try await database.execute(
            """
            INSERT INTO landfall.token (token_id, app_id, provider, environment, topic, fingerprint, kind, sealed_value,
                                        state, first_seen_at, last_sign_of_life_at, state_changed_at, expires_at)
            OVERRIDING SYSTEM VALUE
            SELECT number, \(firstApp), 'apns', 'production', '', sha256(int8send(number)), 'alert', '\\x01', 'active', $2, $2, $2, $3
            FROM generate_series(1, $1::bigint) AS number
            """, [.value(count), .value(now - .days(90)), .value(expiresAt)])
    }

    /// Runs the body while another session waits for a lock, and so works on a statement.
    private func besideWorker<Value>(_ body: () async throws -> Value) async throws -> Value {
        let lock = SQLFile(name: "test/lock", text: "SELECT pg_advisory_lock(29)")
        let holder = try database.connect()
        try holder.query(lock)
        // On a thread of the pool: blocking one of Swift's own would keep other tests from running.
        let worker = Task { [pool = database.pool] in
            try await pool.withConnection { _ = try $0.query(lock) }
        }
        let waiting = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'advisory'
            """
        try await database.wait(until: waiting)
        let value = try await body()
        try holder.query(SQLFile(name: "test/unlock", text: "SELECT pg_advisory_unlock(29)"))
        try await worker.value
        return value
    }

    /// The number of tokens changed after each batch, and the rests in between.
    private func stepsAndRests() async throws -> (steps: [Int64], rests: [Duration]) {
        let now = now
        var rules = SweepRules()
        rules.maxShare = 1
        return try await database.pool.withConnection { [rules] connection in
            var rests: [Duration] = []
            var steps: [Int64] = []
            _ = try Sweep(appID: firstApp, on: connection, rest: { rests.append($0) }).apply(
                rules, now: now, progress: { steps.append($0.staleCount + $0.expiredCount) })
            return (steps, rests)
        }
    }

    @Test("alone it takes large steps and no rest")
    func alone() async throws {
        try await addTokens(300)
        let (steps, rests) = try await stepsAndRests()
        #expect(steps == [200, 300])
        #expect(rests.isEmpty)
    }

    @Test("while another session works it takes small steps and rests")
    func besideOthers() async throws {
        try await addTokens(300)
        let (steps, rests) = try await besideWorker { try await stepsAndRests() }
        // The first batch has its usual size: nothing was checked before it.
        #expect(steps == [200, 250, 300])
        #expect(rests.count >= 3)
        #expect(rests.allSatisfy { $0 > .zero })
    }

    @Test(
        "it does so while it retires expired tokens, and has checked before it reaches the silent ones"
    )
    func expired() async throws {
        try await addTokens(350, expiresAt: now - .hours(1))
        try await database.execute("UPDATE landfall.token SET expires_at = NULL WHERE token_id > 250")
        let (steps, rests) = try await besideWorker { try await stepsAndRests() }
        #expect(steps == [200, 250, 300, 350])
        #expect(rests.count >= 4)
        #expect(rests.allSatisfy { $0 > .zero })
    }

    @Test(
        "a working session is seen, an idle one is not, even by a role that sees only the transactions of others",
        arguments: [true, false])
    func roles(mayRead: Bool) async throws {
        let sweeper = try database.connect()
        let idle = try database.connect()
        if !mayRead {
            try sweeper.execute(script: SQLFile(name: "test/role", text: "SET ROLE pg_read_all_data"))
        }
        let hidden = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND usesysid IS NOT NULL AND state IS NULL
            """
        let hiddenCount: Int64 = try sweeper.query(SQLFile(name: "test/hidden", text: hidden)).single().get(0)
        #expect((hiddenCount == 0) == mayRead)
        #expect(try seesOthersAtWork(sweeper) == false)
        let seesWorker = try await besideWorker { () async throws -> Bool in try seesOthersAtWork(sweeper) }
        #expect(seesWorker)
        // It has written and not committed. A sweep that may not read that it is idle must assume that it
        // works.
        try idle.execute(script: SQLFile(name: "test/write", text: "BEGIN; SELECT pg_current_xact_id()"))
        #expect(try seesOthersAtWork(sweeper) == !mayRead)
        try idle.execute(script: SQLFile(name: "test/rollback", text: "ROLLBACK"))
    }

    private func seesOthersAtWork(_ connection: PostgresConnection) throws -> Bool {
        try connection.query(.Tokens.othersAtWork).single().get(0)
    }
}
