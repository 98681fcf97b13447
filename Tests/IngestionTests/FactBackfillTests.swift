import DeliveryModel
import Foundation
import PostgresClient
import Reports
import SQLFiles
import TestDatabase
import Testing

@Suite(.database) struct FactBackfillTests {
    private let story = FactStory()

    private static let migrations = ["v013_reports", "v016_day_rollups", "v025_reporting_versions"]

    /// Takes back what the migrations of facts, of days and of versions that report made, as if they had never run, and runs them.
    private func migrateAgain() async throws {
        for statement in [
            "DROP TABLE landfall.rejection_rollup, landfall.latency_rollup, landfall.latency_bucket CASCADE",
            "DROP VIEW landfall.reporting_version",
            "DROP TABLE landfall.version_rollup",
            "DROP FUNCTION landfall.version_reports, landfall.wilson_low, landfall.speaks_for_version",
            "ALTER TABLE landfall.delivery DROP COLUMN arrived_version",
            "ALTER TYPE landfall.delivery_event DROP ATTRIBUTE arrived_version",
            "DROP FUNCTION landfall.latency_bucket_of CASCADE",
            "DROP TYPE landfall.rejection_change, landfall.latency_change",
            "ALTER TABLE landfall.delivery DROP COLUMN previous_answer_id",
            "DROP TABLE landfall.segment_day_rollup, landfall.rejection_day_rollup, landfall.latency_day_rollup",
            "DROP FUNCTION landfall.segment_counters, landfall.rejection_counters, landfall.latency_counters",
            "DROP FUNCTION landfall.report_quarters, landfall.report_days",
            "DROP FUNCTION landfall.report_period, landfall.report_utc_offset, landfall.segment_trait",
        ] {
            try await story.database.execute(statement)
        }
        try await story.database.execute(
            "DELETE FROM landfall.schema_migration WHERE name = ANY ($1)", [.array(Self.migrations)])
        // On a connection of its own: the pool's remember the tables that are gone.
        let connection = try PostgresConnection(url: story.database.url)
        try #require(try Migrator().migrate(connection) == Self.migrations)
    }

    private func verify() throws -> Verification {
        try Verification.run(on: PostgresConnection(url: story.database.url))
    }

    @Test("the migration counts the notifications that are there as ingestion would have")
    func rows() async throws {
        try await story.register("aa11", appVersion: "7.1.0")
        var events: [Event] = []
        for number in Int64(0)..<30 {
            let id = UUID()
            events.append(story.answer(id, [200, 410, 429][Int(number % 3)], to: "aa11"))
            events.append(story.report(.arrival, id, after: Span(milliseconds: number * 313 - 5)))
            events.append(story.report(.click, id, after: .seconds(number)))
        }
        try await story.post(events)
        let facts = (
            try await story.rejections(), try await story.latencies(), try await story.versions()
        )
        #expect(facts.0 == ["410": 10, "429": 10])
        #expect(facts.1.values.reduce(0, +) == 20)
        #expect(facts.2 == ["ios 7.1.0"])
        try await migrateAgain()
        #expect(try verify().differences == [])
        let days: Int64 = try await story.database.count(
            "SELECT sum(rejected)::bigint FROM landfall.rejection_day_rollup")
        #expect(days == 20)
        let again = FactStory()
        #expect(try await again.rejections() == facts.0)
        #expect(try await again.latencies() == facts.1)
        #expect(try await again.versions() == facts.2)
    }

    @Test("of days that were dropped, rejections keep their class and lose their words")
    func droppedDays() async throws {
        // Only days that are over are dropped.
        var story = story
        story.sentAt = story.sentAt - .days(2)
        let ids = (0..<3).map { _ in UUID() }
        try await story.post(
            [story.answer(ids[0], 410, "Unregistered"), story.answer(ids[1], 429), story.answer(ids[2], 200)])
        let day = story.sentAt.startOfUTCDay
        try await story.database.execute(
            "SELECT landfall.drop_delivery_partition(($1 AT TIME ZONE 'UTC')::date)", [.value(day)])
        try await migrateAgain()
        let answers = try await story.database.query(
            "SELECT answer_id, rejected FROM landfall.rejection_rollup ORDER BY answer_id"
        ) { [try $0.get(0, as: Int64.self), try $0.get(1, as: Int64.self)] }
        #expect(answers == [[-8, 1], [-1, 1]])
        #expect(try verify().differences == [])
    }
}
