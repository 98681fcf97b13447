import ChildPrograms
import Foundation
import PostgresClient
import TestDatabase
import Testing

/// A database restored by other means than `landfall restore`: the first program that may write prepares it.
@Suite("The ledger of tokens after a restore", .database) struct RestoredLedgerTests {
    private func withProgram(_ body: (LandfallProgram) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "restored-ledger")
        defer { try? folder.remove() }
        let program = LandfallProgram.onTestDatabase(in: folder.url)
        #expect(try program.run("app", "create", "shop").status == 0)
        try importTokens(1...3, program)
        try await body(program)
    }

    private func importTokens(_ numbers: ClosedRange<Int>, _ program: LandfallProgram) throws {
        let tokens = numbers.map { String(format: "%064x", $0) + ",2026-03-01T00:00:00Z" }
        let imported = try program.run(
            ["tokens", "import", "-", "--kind", "alert", "--topic", "com.example.shop", "--apply"],
            input: (["value,registered_at"] + tokens).joined(separator: "\n") + "\n")
        #expect(imported.status == 0, "\(imported.notes)")
    }

    /// As in a cluster that has had fewer transactions than the one of the dump.
    private func raiseNumbers() async throws {
        try await TestDatabase.current.execute(
            "UPDATE landfall.token_transition SET written_by = written_by + 9000000000")
    }

    private func areHigh() async throws -> [Bool] {
        try await TestDatabase.current.query(
            "SELECT written_by > 9000000000 FROM landfall.token_transition ORDER BY transition_id"
        ) { try $0.get(0, as: Bool.self) }
    }

    @Test("is prepared by a command before it writes")
    func command() async throws {
        try await withProgram { program in
            try await raiseNumbers()
            try importTokens(4...5, program)
            #expect(try await areHigh() == [true, true, true, true, true])
        }
    }

    @Test("stays as it is for a role that may only read, which is told what to do")
    func reader() async throws {
        let role = "role-" + UUID().uuidString.lowercased()
        let database = TestDatabase.current
        try await withProgram { program in
            try await database.execute(#"CREATE ROLE "\#(role)" LOGIN"#)
            for cell in database.all {
                try await cell.execute(#"GRANT USAGE ON SCHEMA \#(cell.schema) TO "\#(role)""#)
                try await cell.execute(
                    #"GRANT SELECT ON ALL TABLES IN SCHEMA \#(cell.schema) TO "\#(role)""#)
            }
            var reader = program
            reader.environment.merge(TestDatabase.variables(naming: "\(database.url) user=\(role)")) { $1 }
            #expect(try reader.run("funnel", "--app", "shop").notes.contains("ledger") == false)
            try await raiseNumbers()
            let told = try reader.run("funnel", "--app", "shop")
            #expect(told.status == 0, "\(told.notes)")
            #expect(told.notes.contains("landfall verify"), "\(told.notes)")
            #expect(try program.run("verify").status == 0)
            #expect(try reader.run("funnel", "--app", "shop").notes.contains("ledger") == false)
        }
        for cell in database.all { try await cell.execute(#"DROP OWNED BY "\#(role)""#) }
        try await database.execute(#"DROP ROLE "\#(role)""#)
    }
}
