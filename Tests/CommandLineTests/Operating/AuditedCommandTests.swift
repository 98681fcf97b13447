import ChildPrograms
import Foundation
import People
import PostgresClient
import TestDatabase
import Testing

@testable import Dashboards

@Suite("What commands change", .database) struct AuditedCommandTests {
    private func withProgram(_ body: (LandfallProgram, _ acts: () throws -> [String]) throws -> Void) throws {
        let folder = try ThrowawayFolder.create(for: "audit")
        defer { try? folder.remove() }
        let program = LandfallProgram.onTestDatabase(in: folder.url)
        try TestDatabase.current.numberFromOne()
        let connection = try TestDatabase.current.connect()
        try body(program) {
            try Audit.list(on: connection).reversed().map { entry in
                #expect(entry.name == Audit.commandLine && entry.personID == nil)
                return "\(entry.act) \(entry.app ?? "-") \(entry.subject)".trimmingCharacters(
                    in: .whitespaces)
            }
        }
    }

    /// Runs the command, which must succeed.
    private func run(_ program: LandfallProgram, _ line: String, input: String = "") throws {
        let ending = try program.run(line.split(separator: " ").map(String.init), input: input)
        #expect(ending.status == 0, "\(line): \(ending.notes)")
    }

    private static let csv = """
        value,registered_at
        \(String(repeating: "ab", count: 32)),\((Instant.now - .days(1)).rfc3339)

        """
    private static let device = "0b9c1d5e-8f53-4c6b-9d61-2f6f3f0f9a11"

    @Test("is in the audit: every act of every command that changes the database")
    func everyAct() throws {
        try withProgram { program, acts in
            for line in [
                "app create shop", "app set providers partner_a", "app set providers --unset",
                "key create --kind server", "key create --kind receipt", "key revoke 1",
                "tokens import - --topic com.example.shop --apply",
                "quarantine drop --code unknown_type --before 7d --apply", "quarantine replay --id 3 --apply",
                "tokens release --environment production --apply", "tokens confirm --apply",
                "tokens restore --rule stale --since 2026-03-01 --apply",
                "tokens sweep --max-share 0.5 --apply",
                "erase --device \(Self.device) --apply", "erase --account anna@example.com --apply",
                "maintain --shorten-retention --retention-days 90 --apply",
                "archive files --before 2026-03-01 --drop", "migrate --report-role analyst_of_audit",
            ] {
                try run(program, line, input: line.contains("import") ? Self.csv : "")
            }
            var found = try acts()
            let key = try #require(found.firstIndex { $0.hasPrefix("key_created shop server") })
            #expect(found[key].wholeMatch(of: #/key_created shop server lf_server_(c1_)?[\w-]{4}…/#) != nil)
            found[key] = "key_created shop server"
            #expect(
                found == [
                    "app_created shop", "setting_changed shop providers = partner_a",
                    "setting_changed shop providers, default", "key_created shop server",
                    "key_created shop receipt", "key_revoked shop key 1", "tokens_imported shop -",
                    "quarantine_drop shop unknown_type, before 7d", "quarantine_replay shop item 3",
                    "breaker_release shop production", "breaker_confirm shop all tokens",
                    "tokens_restored shop stale since 2026-03-01T00:00:00.000Z, all tokens",
                    "tokens_swept shop max share 0.5", "erased shop \(Self.device)", "erased shop an account",
                    "retention_shortened - 90 days",
                    "days_archived - before 2026-03-01T00:00:00.000Z, to files",
                    "report_role_granted - analyst_of_audit",
                ])
        }
    }

    @Test("is not in the audit if it is only planned, or failed")
    func plans() throws {
        try withProgram { program, acts in
            try run(program, "app create shop")
            for line in [
                "tokens import - --topic com.example.shop", "quarantine drop", "quarantine replay",
                "tokens release", "tokens confirm", "tokens restore --rule stale --since 2026-03-01",
                "tokens sweep", "erase --device \(Self.device)", "maintain", "migrate",
                "archive files --before 2026-03-01",
                "maintain --shorten-retention --retention-days 90",
            ] {
                try run(program, line, input: line.contains("import") ? Self.csv : "")
            }
            #expect(try program.run("app", "create", "shop").status != 0)
            #expect(try program.run("key", "revoke", "99").status != 0)
            #expect(try acts() == ["app_created shop"])
        }
    }
}
