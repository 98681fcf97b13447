import PostgresClient
import SQLFiles
import Testing

@testable import Mirror

@Suite struct MirrorTableTests {
    private static let statement = SQLFile(
        name: "test", text: #"SELECT "value", "topic", 'value' FROM "device_tokens", "landfall_mirror""#)

    @Test("the sender's names take the place of those of a new table")
    func names() throws {
        #expect(try MirrorTable("device_tokens").statement(Self.statement).text == Self.statement.text)
        let table = try MirrorTable("push.Tokens", columns: ["value=token", "state=value"])
        #expect(
            table.statement(Self.statement).text
                == #"SELECT "token", "topic", 'value' FROM "push"."Tokens", "push"."landfall_mirror""#)
    }

    @Test(
        "what cannot be a name is rejected",
        arguments: [
            ("", []), ("a.b.c", []), ("a b", []), ("a\"; DROP TABLE b", []), ("1a", []), (".a", []),
            ("t", ["token=value"]), ("t", ["value"]), ("t", ["value=a=b"]), ("t", ["value="]),
            ("t", ["value=topic"]), ("t", ["value=a", "topic=a"]),
        ] as [(String, [String])])
    func rejected(table: String, columns: [String]) {
        #expect(throws: MirrorError.self) { try MirrorTable(table, columns: columns) }
    }

    @Test("the sender's database is named like that of PostgreSQL, or as a file")
    func places() throws {
        #expect(try MirrorPlace("postgres://a@b/c") == .postgres(url: "postgres://a@b/c"))
        #expect(try MirrorPlace("postgresql:///c") == .postgres(url: "postgresql:///c"))
        #expect(try MirrorPlace("sqlite:a.db") == .sqlite(path: "a.db"))
        #expect(try MirrorPlace("sqlite:///var/a.db") == .sqlite(path: "/var/a.db"))
        for text in ["", "a.db", "sqlite:", "mysql://secret@b", "host=b"] {
            let error = #expect(throws: MirrorError.self) { try MirrorPlace(text) }
            #expect(error?.description.contains("secret") == false)
        }
    }
}
