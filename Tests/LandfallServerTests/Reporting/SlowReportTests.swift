import Access
import DeliveryModel
import Foundation
import HTTPTypes
import HummingbirdTesting
import PostgresClient
import SQLFiles
import TestDatabase
import Testing

@testable import LandfallServer

/// What reports may take from others: nothing.
@Suite("Slow reports", .database) struct SlowReportTests {
    private let path = "/v1/reports/funnel?from=7d"

    @Test("a statement that takes too long ends, and the answer says what to do")
    func timeout() async throws {
        try await TestServer.run(configure: { $0.reports.statementTimeout = .seconds(1) }) {
            server async throws in
            for text in [
                "ALTER TABLE landfall.unmatched_rollup RENAME TO unmatched_kept",
                """
                CREATE VIEW landfall.unmatched_rollup AS
                SELECT app_id, now() - interval '1 day' AS quarter, nap.unmatched, 0::bigint AS local
                FROM landfall.app CROSS JOIN (SELECT count(*) AS unmatched FROM pg_sleep(60)) AS nap
                """,
            ] { try await TestDatabase.current.execute(text) }
            let answer = try await server.send(.get, path, as: .report)
            #expect(answer.status == 504)
            #expect(answer.code == "report_timeout")
            #expect(answer.detail?.contains("narrow the window") == true)
        }
    }

    @Test("where the server sets no end to a statement either, it is asked once, and given up")
    func silence() async throws {
        try await TestServer.run(configure: { $0.reports.statementTimeout = .seconds(1) }) {
            server async throws in
            let response = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))"}
                """
            #expect(try await server.post(response).counts == [1, 0, 0])
            // Whoever reads the counters takes the limit off the transaction, and then waits for the unmatched ones.
            for text in [
                "ALTER TABLE landfall.delivery_rollup RENAME TO delivery_kept",
                """
                CREATE VIEW landfall.delivery_rollup AS
                WITH unlimited AS MATERIALIZED (SELECT set_config('statement_timeout', '0', true) AS setting)
                SELECT kept.* FROM landfall.delivery_kept AS kept CROSS JOIN unlimited WHERE setting IS NOT NULL
                """,
                "ALTER TABLE landfall.unmatched_rollup RENAME TO unmatched_kept",
                """
                CREATE VIEW landfall.unmatched_rollup AS
                SELECT app_id, now() - interval '1 day' AS quarter, nap.unmatched, 0::bigint AS local
                FROM landfall.app CROSS JOIN (SELECT count(*) AS unmatched FROM pg_sleep(600)) AS nap
                """,
            ] { try await TestDatabase.current.execute(text) }
            let answer = try await server.send(.get, path, as: .report)
            #expect(answer.status == 504)
            #expect(answer.code == "report_timeout")
            // Nobody told the server's session: it still sleeps.
            let sleeping =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
            #expect(try await TestDatabase.current.count(sleeping) == 1)
        }
    }

    @Test(
        "while all connections of reports are taken, events are recorded, and the reports come when it is their turn"
    )
    func others() async throws {
        try await TestServer.run(
            over: .ahc(.http),
            configure: {
                $0.reports.connections = 1
                $0.reports.statementTimeout = .seconds(120)
            }
        ) { server async throws in
            // Reports read it, and answers do not touch it.
            let holder = try PostgresConnection(url: TestDatabase.current.url)
            let hold = SQLFile(
                name: "hold", text: "BEGIN; LOCK TABLE landfall.unmatched_rollup IN ACCESS EXCLUSIVE MODE")
            try holder.execute(script: hold)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask { try await server.send(.get, path, as: .report).status }
                }
                try await TestDatabase.current.waitForSomebodyWaiting()
                let response = """
                    {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                    "token":"\(tokenValue(1))"}
                    """
                #expect(try await server.post(response).counts == [1, 0, 0])
                #expect(try await server.send(.get, "/readyz", as: nil).status == 200)
                #expect(try await server.put(UUID(), registration(tokenValue(2))).status == 200)
                try holder.execute(script: SQLFile(name: "let go", text: "ROLLBACK"))
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [200, 200, 200])
        }
    }
}
