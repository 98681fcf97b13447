import Access
import Foundation
import HTTPTypes
import HummingbirdTesting
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// Reports take nothing from other requests.
@Suite("Slow reports", .database) struct SlowReportTests {
    private let path = "/v1/reports/funnel?from=7d"

    @Test("end at the statement timeout, and the response says what to do")
    func timeout() async throws {
        try await TestServer.run(configure: { $0.reports.statementTimeout = .seconds(1) }) {
            server async throws in
            for text in [
                "ALTER TABLE landfall.counter_live RENAME TO counter_kept",
                """
                CREATE VIEW landfall.counter_live AS
                SELECT app_id, now() - interval '1 day' AS quarter, 0::bigint AS campaign_id, 0::bigint AS segment_id,
                       0::bigint AS response_id, nap.notifications, 8 AS state, 0::smallint AS shard
                FROM landfall.app CROSS JOIN (SELECT count(*) AS notifications FROM pg_sleep(60)) AS nap
                """,
            ] { try await TestDatabase.current.execute(text) }
            let response = try await server.send(.get, path, as: .report)
            #expect(response.status == 504)
            #expect(response.code == "report_timeout")
            #expect(response.detail?.contains("narrow the window") == true)
        }
    }

    @Test("of today show the day without its tokens if they cannot be counted in time")
    func today() async throws {
        let path = "/v1/reports/today"
        try await TestServer.run(configure: {
            $0.reports.connections = 1
            $0.reports.statementTimeout = .seconds(1)
        }) { server async throws in
            let event = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))","campaign":"spring"}
                """
            #expect(try await server.post(event).counts == [1, 0, 0])
            let holder = try TestDatabase.current.connect()
            try holder.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.token"))
            let response = try await server.send(.get, path, as: .report)
            #expect(response.status == 200, "\(response.text)")
            #expect(response.text.contains(#""tokens": null"#))
            #expect(response.text.contains(#""attempted": 1"#))
            let notes = response.headers[.init("Landfall-Notes")!]?.removingPercentEncoding
            #expect(notes?.contains("The tokens are left out") == true)
            try holder.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
            var later = response
            // On a busy machine, they may again take longer than a second.
            while later.text.contains(#""tokens": null"#) {
                try await Task.sleep(for: .milliseconds(200))
                later = try await server.send(.get, path, as: .report)
            }
            #expect(later.status == 200)
            #expect(later.headers[.init("Landfall-Notes")!] == nil)
        }
    }

    @Test("if the server does not end the statement either, it is tried once and given up")
    func silence() async throws {
        try await TestServer.run(configure: { $0.reports.statementTimeout = .seconds(1) }) {
            server async throws in
            let event = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))"}
                """
            #expect(try await server.post(event).counts == [1, 0, 0])
            // The first statement to read the counters removes the transaction's limit, and the next one
            // sleeps.
            for text in [
                "ALTER TABLE landfall.counter_live RENAME TO counter_kept",
                """
                CREATE VIEW landfall.counter_live AS
                SELECT kept.* FROM landfall.counter_kept AS kept
                CROSS JOIN LATERAL (
                    SELECT CASE WHEN coalesce(nullif(current_setting('test.first', true), ''), statement_timestamp()::text)
                                     = statement_timestamp()::text
                                THEN set_config('test.first', statement_timestamp()::text, true)
                                     || set_config('statement_timeout', '0', true)
                                ELSE pg_sleep(600)::text END AS setting
                    OFFSET 0) AS nap
                WHERE setting IS NOT NULL
                """,
            ] { try await TestDatabase.current.execute(text) }
            let response = try await server.send(.get, path, as: .report)
            #expect(response.status == 504)
            #expect(response.code == "report_timeout")
            // The server's session was not told: it still sleeps.
            let sleeping =
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
            #expect(try await TestDatabase.current.count(sleeping) == 1)
        }
    }

    @Test(
        "while all report connections are busy, events are recorded, and reports wait for their turn"
    )
    func others() async throws {
        try await TestServer.run(
            configure: {
                $0.reports.connections = 1
                $0.reports.statementTimeout = .seconds(120)
            }
        ) { server async throws in
            // Reports read this table, and responses do not write it.
            let holder = try TestDatabase.current.connect()
            let hold = SQLFile(
                name: "hold", text: "BEGIN; LOCK TABLE landfall.counter IN ACCESS EXCLUSIVE MODE")
            try holder.execute(script: hold)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask { try await server.send(.get, path, as: .report).status }
                }
                try await TestDatabase.current.waitForLockWait()
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
