import Logging
import PostgresClient
import Synchronization
import TestDatabase
import Testing

/// The limits of a pool's retries, in number and time.
@Suite(.database, .timeLimit(.minutes(40))) struct WorkLimitTests {
    private static let deadlock = PostgresError.server(
        sqlState: SQLState(rawValue: "40P01"), message: "deadlock detected", statement: "test")

    private func run(
        _ configure: (inout PostgresPool.Configuration) -> Void, _ body: (PostgresPool) async throws -> Void
    ) async throws {
        var configuration = TestDatabase.current.configuration(size: 1)
        configure(&configuration)
        let pool = PostgresPool(configuration, logger: Logger(label: "test"))
        do {
            try await body(pool)
        } catch {
            try await pool.close()
            throw error
        }
        try await pool.close()
    }

    /// Returns the number of attempts; every attempt ends in a deadlock.
    private func attempts(
        of goal: Int, on pool: PostgresPool, _ during: @escaping @Sendable () -> Void = {}
    ) async -> Int {
        let count = Mutex(0)
        await #expect(throws: Self.deadlock) {
            try await pool.withConnection(attempts: goal) { _ in
                count.withLock { $0 += 1 }
                during()
                throw Self.deadlock
            }
        }
        return count.withLock(\.self)
    }

    @Test("a collision is retried as often as allowed")
    func attempts() async throws {
        try await run({ _ in }) { pool async throws in #expect(await attempts(of: 3, on: pool) == 3) }
    }

    @Test("nothing is retried after the time for the work is over")
    func workTimeout() async throws {
        try await run({ $0.workTimeout = .milliseconds(200) }) { pool async throws in
            let count = Mutex(0)
            // The deadlock or, on a slow machine, the error that the time ran out before a connection was
            // free.
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection(attempts: 200) { _ in
                    count.withLock { $0 += 1 }
                    throw Self.deadlock
                }
            }
            let tooLate = PostgresError.unavailable(reason: "no connection was free in time")
            #expect(error == Self.deadlock || error == tooLate)
            // The pauses alone would take minutes.
            #expect(count.withLock(\.self) < 200)
        }
    }

    @Test("nothing is retried once the pool is ending")
    func ending() async throws {
        try await run({ _ in }) { pool async throws in
            #expect(await attempts(of: 4, on: pool) { pool.beginToEnd(within: .seconds(60)) } == 1)
        }
    }

    @Test("sessions limit waiting on the server, except with a pooler", arguments: [true, false])
    func sessionSettings(preparesStatements: Bool) async throws {
        let show = SQLFile(
            name: "test/show",
            text: """
                SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings
                WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
                """)
        let configure = { (configuration: inout PostgresPool.Configuration) in
            configuration.limitsWaiting = true
            configuration.statementTimeout = .seconds(15)
            configuration.preparesStatements = preparesStatements
        }
        try await run(configure) { pool async throws in
            let settings = try await pool.withConnection {
                try $0.query(show).single().get(0, as: String.self)
            }
            #expect(settings == (preparesStatements ? "15000 10000 13000" : "0 0 0"))
        }
    }

    @Test(
        "a statement that took too long on the server may be repeated",
        arguments: ["57014", "55P03", "25P03", "53100", "25006"])
    func transient(sqlState: String) {
        let error = PostgresError.server(sqlState: SQLState(rawValue: sqlState), message: "", statement: "")
        #expect(error.isTransient)
        #expect(error.isDataError == false)
    }

    @Test("a violated check is the row's fault, a missing partition is not")
    func missingPartition() async throws {
        let database = TestDatabase.current
        try await database.execute("CREATE TABLE part (n bigint CHECK (n < 9)) PARTITION BY LIST (n)")
        try await database.execute("CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1, 10)")
        for (number, isMissing) in [(Int64(10), false), (2, true)] {
            let insert = SQLFile(name: "test/insert", text: "INSERT INTO part VALUES ($1)")
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { _ = try $0.query(insert, [.value(number)]) }
            }
            #expect(error?.sqlState == .checkViolation)
            #expect(error?.isTransient == isMissing)
            #expect(error?.isDataError == !isMissing)
        }
    }
}
