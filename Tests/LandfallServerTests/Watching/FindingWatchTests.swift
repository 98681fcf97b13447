import Access
import DeliveryModel
import Doctor
import Logging
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

@Suite(.database) struct FindingWatchTests {
    private let watch = FindingWatch(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    private var database: TestDatabase { .current }

    /// Adds apps, each with an open breaker.
    private func addApps(_ slugs: String...) async throws {
        for slug in slugs {
            try await database.pool.withConnection { connection in
                _ = try AppDirectory(connection).createApp(slug: slug, at: .now)
            }
            try await database.openBreaker(of: slug)
        }
    }

    private func look(isStopped: Bool = false) async throws {
        try await database.pool.withConnection { [watch] connection in
            try watch.look(on: connection) { isStopped }
        }
    }

    /// `shop breaker_open open`, by app and age.
    private func episodes() async throws -> [String] {
        try await database.query(
            """
            SELECT concat_ws(' ', slug, finding, CASE WHEN resolved_at IS NULL THEN 'open' ELSE 'over' END)
              FROM landfall.finding_episode JOIN landfall.app USING (app_id)
             ORDER BY slug, finding_episode_id
            """
        ) { try $0.get(0, as: String.self) }
    }

    @Test("every app's findings are recorded as the doctor reports them, and their ends")
    func recorded() async throws {
        try await addApps("shop", "news")
        try await look()
        try await look()
        #expect(try await episodes() == ["news breaker_open open", "shop breaker_open open"])
        let (recorded, reported) = try await database.pool.withConnection { connection in
            let app = try #require(try AppDirectory(connection).apps().first { $0.slug == "shop" })
            let now = try connection.clock()
            return (
                try FindingEpisodes.list(of: app, since: now, on: connection),
                try DoctorReport.run(for: [app], examinesServer: false, on: connection, now: now)
                    .patients.first { $0.app == app }
            )
        }
        #expect(recorded.map(\.sentence) == reported?.findings.map(\.sentence))
        try await database.execute("DELETE FROM landfall.token_breaker")
        try await look()
        #expect(try await episodes() == ["news breaker_open over", "shop breaker_open over"])
    }

    @Test("one server at a time examines apps, and a stopped one leaves the rest")
    func oneAtATime() async throws {
        try await addApps("shop")
        let other = try database.connect()
        let held = try #require(try other.hold(.findings))
        await #expect(throws: LockTaken(.findings)) { try await look() }
        #expect(try await episodes() == [])
        held.release()
        try await look(isStopped: true)
        #expect(try await episodes() == [])
        try await look()
        #expect(try await episodes() == ["shop breaker_open open"])
    }

    @Test("an app that cannot be recorded does not keep the others from it")
    func failure() async throws {
        try await addApps("a", "b", "c")
        try await database.execute(
            """
            ALTER TABLE landfall.finding_episode ADD CONSTRAINT broken
                CHECK (app_id <> (\(try await database.count("SELECT app_id FROM landfall.app WHERE slug = 'b'"))))
            """)
        try await look()
        #expect(try await episodes() == ["a breaker_open open", "c breaker_open open"])
    }

    @Test("a connection that broke ends the turn, and its lock")
    func lostConnection() async throws {
        try await addApps("shop")
        let connection = try database.connect()
        #expect(throws: PostgresError.self) {
            try watch.look(on: connection) {
                // Ends the session while it has the lock.
                _ = try? connection.query(
                    .init(name: "test/end", text: "SELECT pg_terminate_backend(pg_backend_pid())"))
                return false
            }
        }
        try await look()
        #expect(try await episodes() == ["shop breaker_open open"])
    }
}
