import FaultProxy
import Logging
import PostgresClient
import TestDatabase
import Testing

/// Calls whose response does not arrive.
@Suite(.database, .timeLimit(.minutes(40))) struct StatementDeadlineTests {
    private static let one = SQLFile(name: "test/one", text: "SELECT 1::bigint")

    private func one(_ pool: PostgresPool) async throws -> Int64 {
        try await pool.withConnection { try $0.query(Self.one).single().get(0) }
    }

    /// Runs the body with a pool of one connection through a proxy.
    private func run(
        statementTimeout: Duration?, _ body: (PostgresPool, FaultProxy) async throws -> Void
    ) async throws {
        let proxy = try FaultProxy(upstream: TestDatabase.current.socketFolder)
        var configuration = TestDatabase.configuration(
            of: proxy.url(database: TestDatabase.current.name) + " connect_timeout=2", size: 1)
        configuration.statementTimeout = statementTimeout
        let pool = PostgresPool(configuration, logger: Logger(label: "test"))
        do {
            #expect(try await one(pool) == 1)
            try await body(pool, proxy)
        } catch {
            proxy.close()
            try await pool.close()
            throw error
        }
        proxy.close()
        try await pool.close()
    }

    @Test("a stalled network is given up, and the next connection works")
    func stall() async throws {
        try await run(statementTimeout: .milliseconds(300)) { pool, proxy async throws in
            proxy.stall()
            await #expect(throws: PostgresError.timedOut(statement: "test/one")) {
                try await one(pool)
            }
            proxy.resume()
            #expect(try await one(pool) == 1)
        }
    }

    @Test("sending into a stalled network is given up, too: no buffer is large enough")
    func stalledSending() async throws {
        try await run(statementTimeout: .milliseconds(300)) { pool, proxy async throws in
            let file = SQLFile(name: "test/length", text: "SELECT length($1::bytea)::bigint")
            // Prepared beforehand, so that only the value has to be sent.
            try await pool.withConnection { _ = try $0.query(file, [.value([UInt8]())]) }
            proxy.stall()
            let large = [UInt8](repeating: 7, count: 32 << 20)
            await #expect(throws: PostgresError.timedOut(statement: "test/length")) {
                try await pool.withConnection { _ = try $0.query(file, [.value(large)]) }
            }
            proxy.resume()
            #expect(try await one(pool) == 1)
        }
    }

    @Test("a connection that opens and stays silent is 'unavailable', not an endless wait")
    func stalledConnecting() async throws {
        try await run(statementTimeout: nil) { pool, proxy async throws in
            proxy.cut()
            await #expect(throws: PostgresError.self) { try await one(pool) }
            proxy.stall()
            let error = await #expect(throws: PostgresError.self) { try await one(pool) }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error)) in place of 'unavailable'")
                return
            }
        }
    }

    @Test("a pool that is ending gives up what waits, and retries nothing")
    func ending() async throws {
        try await run(statementTimeout: nil) { pool, _ async throws in
            let sleep = SQLFile(name: "test/sleep", text: "SELECT pg_sleep(600)")
            let slept = Task { try await pool.withConnection(attempts: 4) { _ = try $0.query(sleep) } }
            let sleeping =
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = $1"
            let name = PostgresParameter.value(TestDatabase.current.name)
            try await TestDatabase.current.wait(until: sleeping, [name])
            #expect(pool.hasAbandonedWork == false)
            pool.beginToEnd(within: .zero)
            await #expect(throws: PostgresError.connectionLost(statement: "test/sleep")) {
                try await slept.value
            }
            #expect(pool.hasAbandonedWork)
            await #expect(throws: PostgresError.self) { try await one(pool) }
        }
    }

    @Test("an error in the middle of a pipeline, before all of it was sent, leaves the connection usable")
    func pipelineError() async throws {
        let wrong = SQLFile(name: "test/wrong", text: "SELECT 1 / length($1::bytea)")
        let length = SQLFile(name: "test/length", text: "SELECT length($1::bytea)::bigint")
        let large = PostgresParameter.value([UInt8](repeating: 7, count: 8 << 20))
        try await run(statementTimeout: .seconds(60)) { pool, _ async throws in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { connection in
                    _ = try connection.query([
                        PostgresStatement(length, [large]),
                        PostgresStatement(wrong, [.value([UInt8]())]),
                        PostgresStatement(length, [large]),
                    ])
                }
            }
            #expect(error?.sqlState?.rawValue == "22012")
            #expect(try await one(pool) == 1)
        }
    }
}
