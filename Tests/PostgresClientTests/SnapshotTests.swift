import Logging
import PostgresClient
import TestDatabase
import Testing

/// The server's settings during a report, whatever those of sessions and roles are.
@Suite("Snapshots", .database) struct SnapshotTests {
    private static func show(_ names: String) -> SQLFile {
        SQLFile(
            name: "test/show",
            text: """
                SELECT string_agg(name || ' ' || setting, ', ' ORDER BY name) FROM pg_settings
                WHERE name IN (\(names))
                """)
    }

    /// The settings before a snapshot, within it, and after it.
    private func settings(
        _ names: String, _ configure: (inout PostgresPool.Configuration) -> Void
    ) async throws -> [String] {
        var configuration = TestDatabase.current.configuration(size: 1)
        configure(&configuration)
        let pool = PostgresPool(configuration, logger: Logger(label: "test"))
        let show = Self.show(names)
        do {
            let settings = try await pool.withConnection { connection in
                let read = { try connection.query(show).single().get(0, as: String.self) }
                return [try read(), try connection.snapshot { try read() }, try read()]
            }
            try await pool.close()
            return settings
        } catch {
            try await pool.close()
            throw error
        }
    }

    @Test("are planned for their own parameters, with every join method, and batches are not")
    func planner() async throws {
        let names = """
            'enable_bitmapscan', 'enable_hashjoin', 'enable_material', 'enable_memoize', 'enable_mergejoin', 'enable_seqscan',
            'jit', 'plan_cache_mode'
            """
        let batches =
            "enable_bitmapscan off, enable_hashjoin off, enable_material off, enable_memoize off, enable_mergejoin off, "
            + "enable_seqscan off, jit off, plan_cache_mode force_generic_plan"
        let reports =
            "enable_bitmapscan on, enable_hashjoin on, enable_material on, enable_memoize on, enable_mergejoin on, "
            + "enable_seqscan on, jit off, plan_cache_mode force_custom_plan"
        // Set for the role, as is usual with a pooler.
        let url = TestDatabase.current.url
        let found = try await settings(names) {
            $0.url = url + " options='-c jit=on'"
            $0.plansOnce = true
        }
        #expect(found == [batches, reports, batches])
    }

    @Test("end statements that take too long, even where sessions keep no settings")
    func limits() async throws {
        let found = try await settings("'statement_timeout', 'lock_timeout'") {
            $0.preparesStatements = false
            $0.limitsWaiting = true
            $0.statementTimeout = .seconds(15)
        }
        #expect(
            found == [
                "lock_timeout 0, statement_timeout 0", "lock_timeout 10000, statement_timeout 13000",
                "lock_timeout 0, statement_timeout 0",
            ])
    }

    @Test(
        "begin with the body's first query, even where sessions keep no settings: what was locked before is still there"
    )
    func beginning() async throws {
        let count = SQLFile(name: "test/count", text: "SELECT count(*) FROM landfall.app")
        let add = SQLFile(
            name: "test/add", text: "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let lock = SQLFile(name: "test/lock", text: "LOCK TABLE landfall.app IN ACCESS SHARE MODE")
        let other = TestDatabase.current
        let reader = TestDatabase.configuration(of: other.url, size: 1)
        for preparesStatements in [true, false] {
            var configuration = reader
            configuration.preparesStatements = preparesStatements
            configuration.statementTimeout = .seconds(60)
            let pool = PostgresPool(configuration, logger: Logger(label: "test"))
            let url = other.url
            let counts = try await pool.withConnection { connection in
                let writer = try TestDatabase.connect(to: url)
                try writer.execute(script: SQLFile(name: "test/clear", text: "DELETE FROM landfall.app"))
                return try connection.snapshot {
                    try writer.execute(script: add)
                    try connection.execute(script: lock)
                    return try connection.query(count).single().get(0, as: Int64.self)
                }
            }
            try await pool.close()
            #expect(counts == 1, "\(preparesStatements)")
        }
    }

    @Test("have no time limit where none is set")
    func patience() async throws {
        let found = try await settings("'statement_timeout'") { _ in }
        #expect(found == ["statement_timeout 0", "statement_timeout 0", "statement_timeout 0"])
    }
}
