import SQLFiles
import TestDatabase
import Testing

@testable import PostgresClient

@Suite("A schema's name") struct SchemaNameTests {
    private let x: SchemaName

    init() throws {
        x = try #require(SchemaName("x_1"))
    }

    @Test("is a lowercase word that PostgreSQL and Landfall do not use otherwise")
    func names() {
        let longest = String(repeating: "a", count: 40) + "1"
        for name in ["landfall", "landfall_3", "x1", "x_", longest] {
            #expect(SchemaName(name)?.text == name)
        }
        for name in [
            "", "3", "_x", "X", "a-b", "a.b", "a%", "ä", "a\"b", longest + "a", "pg_x", "public",
            "information_schema", "report_v1", "x_report_v1", "x", "user", "order", "table", "all",
            "landfalls",
            "current_user", "current_schema", "session_user", "system_user",
        ] {
            #expect(SchemaName(name) == nil, "\(name)")
        }
        #expect(SchemaName("landfall") == .landfall)
        #expect(SchemaName.landfall.reports == "report_v1")
        #expect(x.reports == "x_1_report_v1")
    }

    @Test(
        "replaces landfall before a dot or a quotation mark, and report_v1",
        arguments: [
            ("SELECT slug FROM landfall.app JOIN landfall.token", "SELECT slug FROM x_1.app JOIN x_1.token"),
            ("unnest($1::landfall.token_change[])", "unnest($1::x_1.token_change[])"),
            ("to_regclass('landfall.' || name)", "to_regclass('x_1.' || name)"),
            ("format('landfall.%I', name)", "format('x_1.%I', name)"),
            ("'landfall'::regnamespace", "'x_1'::regnamespace"),
            ("CREATE SCHEMA \"landfall\"", "CREATE SCHEMA \"x_1\""),
            ("IN ('landfall', 'report_v1')", "IN ('x_1', 'x_1_report_v1')"),
            ("report_v1.%I … landfall.é", "x_1_report_v1.%I … x_1.é"),
            ("landfall.app", "x_1.app"), ("report_v1", "x_1_report_v1"),
        ])
    func replaced(text: String, expected: String) {
        #expect(x.inserted(into: text) == expected)
        #expect(SchemaName.landfall.inserted(into: text) == text)
    }

    @Test(
        "leaves other words alone",
        arguments: [
            "", "landfall", "CREATE SCHEMA landfall;", "/* landfall tokens/sweep */", "landfall_3.app",
            "my_landfall.app", "landfall_writing_trial", "set_config('landfall.report_role', $1, true)",
            "report_v10.x", "my_report_v1.x", "Landfall.app", "…", "a.b",
        ])
    func left(text: String) {
        #expect(x.inserted(into: text) == text)
    }

    /// All texts that the programs contain, without the names before them.
    private static let texts = (SQLFile.all + SQLFile.migrations).map {
        $0.text.replacing("/* landfall \($0.name) */", with: "")
    }

    @Test("is every word landfall of the statements and migrations but for these")
    func otherWords() {
        let left = Self.texts.map(x.inserted(into:)).flatMap { text in
            text.matches(of: /landfall\w*(?:\.\w+)?(?: [a-z]+)?/).map { String($0.0) }
        }
        #expect(
            Set(left) == [
                // Names of commands, in comments.
                "landfall doctor", "landfall migrate", "landfall quarantine",
                // A setting, a table of the session, and a table in a sender's database.
                "landfall.report_role", "landfall_writing_trial", "landfall_mirror",
            ])
    }

    @Test("is replaced in no sentence of a comment but one that names the schema")
    func sentences() {
        for text in Self.texts {
            #expect(!text.contains(/landfall\.[^\w%']/))
        }
        let quoted = Self.texts.flatMap { text in
            text.matches(of: /(?:schema |['"])?landfall['"]/).map { String($0.0) }
        }
        #expect(Set(quoted) == ["'landfall'", "\"landfall\"", "schema landfall'"])
    }

    @Test("is in the advice for a missing privilege")
    func advice() {
        func advice(_ object: String) -> String {
            MissingGrant(
                message: "permission denied for \(object)", role: "r", database: "d", schema: x
            ).advice
        }
        #expect(advice("table app").contains("IN SCHEMA x_1 TO"))
        #expect(advice("view funnel_by_day").contains("IN SCHEMA x_1_report_v1 TO"))
        #expect(advice("schema x_1").contains("allows reading and writing"))
        #expect(!advice("schema landfall").contains("allows reading and writing"))
    }

    @Test("two schemas of one database share nothing", .database, arguments: [true, false])
    func two(preparesStatements: Bool) async throws {
        let schema = try #require(SchemaName("landfall_second"))
        let first = try TestDatabase.current.connect(preparesStatements: preparesStatements)
        let second = try PostgresConnection(
            url: TestDatabase.current.url, schema: schema, preparesStatements: preparesStatements)
        #expect(try Migrator().pending(second) == SQLFile.migrations.map(\.name))
        try Migrator().migrate(second)
        #expect(try Migrator().migrate(second).isEmpty)
        for connection in [first, second] {
            let found: [String] = try connection.query(.Administration.findSchemas).column(0)
            #expect(found == [connection.schema.text, connection.schema.reports].sorted())
        }

        let add = "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())"
        try second.query(SQLFile(name: "test/add", text: add))
        try second.execute(
            script: SQLFile(name: "test/type", text: "CREATE TYPE landfall.sample AS (size bigint)"))
        let rows = PostgresParameter.rows(PostgresRowType("landfall.sample"), [7]) { $1.append(Int64($0)) }
        let read = SQLFile(name: "test/read", text: "SELECT size FROM unnest($1::landfall.sample[])")
        #expect(try second.query(read, [rows]).single().get(0, as: Int64.self) == 7)
        #expect(throws: PostgresError.self) { _ = try first.query(read, [rows]) }

        let count = SQLFile(name: "test/count", text: "SELECT count(*) FROM landfall.app")
        #expect(try first.query(count).single().get(0, as: Int64.self) == 0)
        #expect(try second.query(count).single().get(0, as: Int64.self) == 1)
        try second.execute(
            script: SQLFile(
                name: "test/drop", text: "DROP SCHEMA \"landfall\" CASCADE; DROP SCHEMA report_v1 CASCADE"))
        #expect(try Migrator().pending(first).isEmpty)
        #expect(try Migrator().pending(second).count == SQLFile.migrations.count)
    }
}
