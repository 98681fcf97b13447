import Logging
import PostgresClient
import TestDatabase
import Testing

/// The mode for Citus on a database that does not have it.
@Suite(.database) struct CitusNodeTests {
    private func pool() -> PostgresPool {
        var configuration = TestDatabase.current.configuration(size: 1)
        configuration.isDistributed = true
        configuration.plansOnce = true
        return PostgresPool(configuration, logger: Logger(label: "test"))
    }

    @Test("without the extension, migrating is an error that says what to do")
    func noExtension() async throws {
        let pool = pool()
        await #expect(throws: MigrationError.noCitus) {
            try await pool.withConnection { try Migrator().migrate($0) }
        }
        try await pool.close()
        #expect(MigrationError.noCitus.description.contains("CREATE EXTENSION citus"))
        let migrated = try await TestDatabase.current.pool.withConnection { try Migrator().migrate($0) }
        #expect(migrated == [])
    }

    @Test("statements have no generic plans, and the planner's other settings stay")
    func plans() async throws {
        let query = SQLFile(
            name: "test/settings",
            text: "SELECT current_setting('plan_cache_mode'), current_setting('enable_hashjoin')")
        let pool = pool()
        let settings = try await pool.withConnection { connection in
            let row = try connection.query(query).single()
            return [try row.get(0, as: String.self), try row.get(1, as: String.self)]
        }
        try await pool.close()
        #expect(settings == ["auto", "off"])
    }

    @Test("an internal error is worth another attempt, and only in this mode")
    func internalError() async throws {
        let raise = SQLFile(
            name: "test/raise", text: "DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = 'XX000'; END $$")
        let pool = pool()
        for (pool, isTransient) in [(pool, true), (TestDatabase.current.pool, false)] {
            do {
                try await pool.withConnection { try $0.execute(script: raise) }
                Issue.record("no error")
            } catch let error as PostgresError {
                #expect(error.isTransient == isTransient && !error.endsConnection)
            }
        }
        try await pool.close()
    }

    @Test("tables are changed on a connection to the coordinator")
    func coordinator() async throws {
        let pool = pool()
        let (isOther, isSame) = try await pool.withConnection { connection in
            let number = SQLFile(name: "test/number", text: "SELECT pg_backend_pid()::bigint")
            let own = try connection.query(number).single().get(0, as: Int64.self)
            let other = try connection.coordinating().query(number).single().get(0, as: Int64.self)
            return (own != other, try connection.query(number).single().get(0, as: Int64.self) == own)
        }
        try await pool.close()
        #expect(isOther && isSame)
    }
}
