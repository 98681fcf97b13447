import Access
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@Suite("A role that reads the views", .database) struct ReportRoleTests {
    private let denied = SQLState(rawValue: "42501")

    private func names(_ text: String) async throws -> [String] {
        try await TestDatabase.current.query(text) { try $0.get(0, as: String.self) }
    }

    private func views() async throws -> [String] {
        try await names(
            "SELECT table_name::text FROM information_schema.views WHERE table_schema = 'report_v1' ORDER BY 1"
        )
    }

    @Test("can read each of them")
    func reads() async throws {
        let views = try await views()
        #expect(views.count == 6)
        try await ReportReader.with { reader in
            for view in views {
                #expect(reader.rejection(of: "SELECT * FROM report_v1.\(view)") == nil, "\(view)")
            }
        }
    }

    @Test("can read nothing else, and change nothing")
    func nothingElse() async throws {
        try await TestDatabase.current.addAppsAndCampaigns()
        try await TestDatabase.current.add([.init("2026-03-01T12:00:00Z", [.attempted])])
        let tables = try await names(
            """
            SELECT n.nspname || '.' || c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname NOT LIKE 'pg\\_%'
              AND n.nspname NOT IN ('information_schema', 'report_v1')
            """)
        #expect(tables.count > 20)
        let functions = try await names(
            """
            SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
            WHERE n.nspname = 'landfall'
            """)
        #expect(functions.isEmpty == false)
        let views = try await views()
        try await ReportReader.with { reader in
            // A read-only role could still change this setting.
            try reader.query("SET default_transaction_read_only = off")
            // The views of another cell cannot be named through this connection.
            for table in tables where !table.hasPrefix("report_v1.") {
                #expect(reader.rejection(of: "SELECT 1 FROM \(table)") == denied, "\(table)")
                #expect(reader.rejection(of: "DELETE FROM \(table)") != nil, "\(table)")
            }
            for view in views {
                for text in ["DELETE FROM", "TRUNCATE"] {
                    #expect(reader.rejection(of: "\(text) report_v1.\(view)") != nil, "\(text) \(view)")
                }
            }
            for text in [
                "SELECT landfall.ensure_delivery_partition(current_date)",
                "CREATE TABLE landfall.own (id int)", "CREATE TABLE report_v1.own (id int)",
                "CREATE TABLE public.own (id int)", "CREATE SCHEMA own", "CREATE ROLE another",
                "CREATE VIEW report_v1.own AS SELECT 1 AS one", "DROP VIEW report_v1.funnel_by_day",
                "COMMENT ON VIEW report_v1.funnel_by_day IS ''", "SELECT pg_read_file('PG_VERSION')",
                "COPY report_v1.funnel_by_day TO '/tmp/landfall-copy'",
            ] { #expect(reader.rejection(of: text) == denied, "\(text)") }
        }
    }

    @Test("has no right to a table or a column in any other way")
    func privileges() async throws {
        try await ReportReader.with { reader in
            let rights = try reader.query(
                """
                SELECT c.oid::regclass::text
                FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname NOT IN ('information_schema', 'report_v1')
                  AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                  AND (has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
                       OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))
                UNION ALL
                SELECT c.oid::regclass::text
                FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = 'report_v1' AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
                """)
            #expect(rights.count == 0)
        }
    }

    @Test("may be granted the views of another schema, too")
    func otherSchema() async throws {
        let schema = try #require(SchemaName("landfall_second"))
        try await ReportReader.with { reader in
            let second = try PostgresConnection(url: TestDatabase.current.url, schema: schema)
            try Migrator().migrate(second)
            let view = "SELECT * FROM \(schema.reports).funnel_by_day"
            #expect(reader.rejection(of: view) == denied)
            try ReportRole.grant(reader.role, on: second)
            #expect(reader.rejection(of: view) == nil)
            #expect(reader.rejection(of: "SELECT * FROM report_v1.funnel_by_day") == nil)
            #expect(reader.rejection(of: "SELECT * FROM \(schema).app") == denied)
            #expect(throws: PostgresError.self) { try ReportRole.grant("landfall", on: second) }
        }
    }

    @Test("may be granted twice, and reads views that are added later")
    func again() async throws {
        try await ReportReader.with { reader in
            let again = try TestDatabase.current.connect()
            try ReportRole.grant(reader.role, on: again)
            try again.execute(
                script: .init(name: "later", text: "CREATE VIEW report_v1.later AS SELECT 1 AS one"))
            #expect(reader.rejection(of: "SELECT * FROM report_v1.later") == nil)
        }
    }

    @Test("may not be the owner of the tables, or any role that could read them")
    func owner() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await TestDatabase.current.pool.withConnection { try ReportRole.grant("landfall", on: $0) }
        }
        #expect(error?.sqlState == denied)
        #expect(error?.description.contains("can reach more than the views") == true)
    }

    @Test("may have any name")
    func quoting() async throws {
        let odd = "odd\"; DROP SCHEMA landfall CASCADE; --"
        try await TestDatabase.current.pool.withConnection { try ReportRole.grant(odd, on: $0) }
        let known = try await TestDatabase.current.count(
            "SELECT count(*) FROM pg_roles WHERE rolname = $1", [.value(odd)])
        #expect(known == 1)
        let quoted = "\"" + odd.replacing("\"", with: "\"\"") + "\""
        for statement in ["DROP OWNED BY", "DROP ROLE"] {
            try await TestDatabase.current.execute("\(statement) \(quoted)")
        }
    }
}
