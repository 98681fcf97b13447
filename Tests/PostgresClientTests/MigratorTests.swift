import Logging
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct MigratorTests {
    private let first = SQLFile(name: "v001_first", text: "CREATE TABLE landfall_first (id bigint);")
    private let second = SQLFile(name: "v002_second", text: "CREATE TABLE landfall_second (id bigint);")

    /// Drops the schema: the test's database is migrated already, and these tests begin without one.
    private func forget() async throws {
        try await TestDatabase.current.execute("DROP SCHEMA \(TestDatabase.schema) CASCADE")
    }

    @Test("eight concurrent starts apply every migration exactly once")
    func eightAtOnce() async throws {
        try await forget()
        let url = TestDatabase.current.url
        let migrations = [first, second]
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 1...8 {
                let pool = PostgresPool(
                    TestDatabase.configuration(of: url, size: 1), logger: .init(label: "test"))
                group.addTask {
                    let names = try await pool.withConnection {
                        try Migrator(migrations: migrations).migrate($0)
                    }
                    try await pool.close()
                    return names
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == ["v001_first", "v002_second"])
    }

    @Test("an applied migration is not applied again")
    func idempotent() async throws {
        let applied = try await TestDatabase.current.pool.withConnection { try Migrator().migrate($0) }
        #expect(applied.isEmpty)
        let pending = try await TestDatabase.current.pool.withConnection { try Migrator().pending($0) }
        #expect(pending.isEmpty)
    }

    @Test("on an empty database everything is pending")
    func pendingOnEmpty() async throws {
        try await forget()
        let pending = try await TestDatabase.current.pool.withConnection { try Migrator().pending($0) }
        #expect(pending == SQLFile.migrations.map(\.name))
    }

    @Test("a migration that changed since it was applied is an error")
    func changedFile() async throws {
        try await forget()
        let pool = TestDatabase.current.pool
        let original = first
        _ = try await pool.withConnection { try Migrator(migrations: [original]).migrate($0) }
        let changed = SQLFile(name: first.name, text: first.text + " -- changed")
        await #expect(throws: MigrationError.changedSinceApplied("v001_first")) {
            try await pool.withConnection { try Migrator(migrations: [changed]).migrate($0) }
        }
    }

    @Test("a database that is newer than the program is an error")
    func newerDatabase() async throws {
        try await forget()
        let pool = TestDatabase.current.pool
        let (old, new) = ([first], [first, second])
        _ = try await pool.withConnection { try Migrator(migrations: new).migrate($0) }
        await #expect(throws: MigrationError.databaseIsNewer(unknown: ["v002_second"])) {
            try await pool.withConnection { try Migrator(migrations: old).migrate($0) }
        }
    }

    @Test("a migration that cannot be applied leaves neither its changes nor its ledger row")
    func brokenMigration() async throws {
        try await forget()
        let pool = TestDatabase.current.pool
        let broken = [SQLFile(name: "v001_broken", text: "CREATE TABLE half (id bigint); SELECT nonsense;")]
        await #expect(throws: PostgresError.self) {
            try await pool.withConnection { try Migrator(migrations: broken).migrate($0) }
        }
        #expect(
            try await TestDatabase.current.count("SELECT count(*) FROM pg_class WHERE relname = 'half'") == 0)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.schema_migration") == 0)
    }
}
