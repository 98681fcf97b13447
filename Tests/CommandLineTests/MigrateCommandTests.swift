import ArgumentParser
import Foundation
import PostgresClient
import TestDatabase
import Testing

@testable import Dashboards

@Suite("landfall migrate", .database) struct MigrateCommandTests {
    @Test("creates a role that may read the views, and finds it the next time")
    func reportRole() async throws {
        let database = TestDatabase.current
        let role = "migrated_" + UUID().uuidString.lowercased()
        for _ in 1...2 {
            let command = try MigrateCommand.parse(database.options + ["--report-role", role])
            try command.run()
        }
        let rights = try await database.count(
            """
            SELECT count(*) FROM pg_views
            WHERE schemaname = 'report_v1'
              AND has_table_privilege($1, format('%I.%I', schemaname, viewname), 'SELECT')
            """, [.value(role)])
        #expect(rights >= 6)
        for cell in database.all { try await cell.execute("DROP OWNED BY \"\(role)\"") }
        try await database.execute("DROP ROLE \"\(role)\"")
    }
}
