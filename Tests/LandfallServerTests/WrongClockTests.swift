import Access
import DeliveryModel
import Doctor
import Foundation
import Maintenance
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// A server whose machine's clock differs from PostgreSQL's.
@Suite(.database, .timeLimit(.minutes(40))) struct WrongClockTests {
    private var database: TestDatabase { .current }

    /// Writes notifications of the last 300 days, one a day, for an app `shop`, and returns its server key.
    private func fill() async throws -> String {
        let (app, keys) = try await TestServer.makeApp("shop")
        try await database.execute(
            """
            SELECT landfall.ensure_delivery_partition((now() AT TIME ZONE 'UTC')::date - days)
              FROM generate_series(0, 299) AS days
            """)
        try await database.execute(
            """
            INSERT INTO landfall.delivery (notification_id, sent_at, app_id, state, response_rank)
            SELECT gen_random_uuid(), now() - days * interval '24 hours', \(app.appID), 3, 0
              FROM generate_series(0, 299) AS days
            """)
        return try #require(keys[.server])
    }

    /// Runs the real program until it has maintained the database, and then the body.
    private func serve(
        _ environment: [String: String], _ body: (StartedServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-clock-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try await StartedServer.start(
            database: database.url, dataFolder: folder, environment: environment)
        do {
            while try await !hasMaintained() { try await Task.sleep(for: .milliseconds(50)) }
            try await body(program)
        } catch {
            program.kill()
            throw error
        }
        #expect(program.terminate() == 0)
    }

    /// Maintenance first creates the coming days, and releases its lock at the end. Any problem is noted by
    /// then.
    private func hasMaintained() async throws -> Bool {
        try await database.count(
            """
            SELECT count(*)
              FROM landfall.database_condition
             WHERE to_regclass('landfall.delivery_' || to_char(now() AT TIME ZONE 'UTC' + interval '7 days', 'YYYYMMDD'))
                   IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM pg_locks
                                WHERE locktype = 'advisory' AND classid = 19529
                                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            """) > 0
    }

    private func findings() async throws -> [Finding] {
        try await database.pool.withConnection { connection in
            let apps = try AppDirectory(connection).apps()
            return try DoctorReport.run(
                for: apps, examinesServer: false, on: connection, now: try connection.clock()
            ).patients.flatMap(\.findings)
        }
    }

    @Test(
        "a server 600 days ahead drops nothing and accepts today's events, and the doctor names it",
        .enabled(if: ShiftedClock.isPossible))
    func ahead() async throws {
        let clock = try ShiftedClock()
        defer { clock.remove() }
        let key = try await fill()
        try await serve(clock.environment(daysAhead: 600)) { program in
            let now = Instant.now
            let client = PersistentClient(key: key, port: { program.port })
            let event = """
                {"type": "response", "notification_id": "\(UUID())", "provider": "apns", "status": 200, \
                "token": "\(tokenValue(1))", "topic": "com.example.shop", "sent_at": \(now.millisecondsSinceEpoch)}
                """
            #expect(await client.attempt(Array(event.utf8)) == 200)
            let condition = "SELECT count(*) FROM landfall.database_condition WHERE name = 'server_clock'"
            #expect(try await database.count(condition) == 1)
            let finding = try #require(try await findings().first { $0.id == .serverClock })
            #expect(finding.sentence.contains("600 days ahead of PostgreSQL's"), "\(finding.sentence)")
        }
        #expect(try await database.count("SELECT count(*) FROM landfall.delivery") == 301)
        #expect(try await database.count("SELECT count(*) FROM landfall.retention") == 0)
        let farDays = """
            SELECT count(*) FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
             WHERE inhparent = 'landfall.delivery'::regclass
               AND substr(relname, 10) > to_char(now() + interval '30 days', 'YYYYMMDD')
            """
        #expect(try await database.count(farDays) == 0)
    }

    @Test(
        "a server started with a retention of 4 days drops nothing, and the doctor says how to do it")
    func shorter() async throws {
        _ = try await fill()
        try await database.pool.withConnection { _ = try RetentionSetting.lengthen(to: .days(400), on: $0) }
        try await serve(["LANDFALL_RETENTION_DAYS": "4"]) { _ in
            let finding = try #require(try await findings().first { $0.id == .retentionHeld })
            #expect(finding.commandLine == "landfall maintain --shorten-retention --retention-days 4")
        }
        #expect(try await database.count("SELECT count(*) FROM landfall.delivery") == 300)
    }
}
