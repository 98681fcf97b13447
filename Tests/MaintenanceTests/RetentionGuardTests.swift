import DeliveryModel
import Foundation
import Ingestion
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing

@Suite(.database) struct RetentionGuardTests {
    private let bench = MaintenanceFixture()

    /// Writes one notification a day, with its date and its recipient, up to today.
    private func fill(days: Int64) async throws {
        _ = try await bench.writer().write(
            (0..<days).map { bench.response(bench.now - .days($0), message: UUID()) })
    }

    private func rows(_ table: String) async throws -> Int64 {
        try await bench.database.count("SELECT count(*) FROM landfall.\(table)")
    }

    private func maintain(_ settings: MaintenanceSettings, now: Instant? = nil) async throws
        -> MaintenanceReport
    {
        try await bench.database.pool.withConnection { try Maintenance(settings).run(now: now, on: $0) }
    }

    private func holds() async throws -> [RetentionHold] {
        try await bench.database.pool.withConnection {
            try $0.conditions(.retentionHeld, as: RetentionHold.self).map(\.detail)
        }
    }

    @Test("if PostgreSQL's clock is 600 days ahead, nothing is dropped, and what is held is noted")
    func clockAhead() async throws {
        try await fill(days: 12)
        let report = try await maintain(MaintenanceSettings(), now: bench.now + .days(600))
        #expect(report.daysDropped == [])
        #expect(report.datesRemoved == 0)
        #expect(report.recipientsRemoved == 0)
        #expect(try await rows("delivery") == 12)
        #expect(try await rows("message_recipient") == 12)
        #expect(try await holds().map(\.reasons) == [[.oldNotifications]])
        _ = try await maintain(MaintenanceSettings())
        #expect(try await holds() == [])
    }

    @Test("a retention shorter than the stored one drops nothing until a person shortens it")
    func shorter() async throws {
        try await fill(days: 12)
        try await bench.database.pool.withConnection {
            _ = try RetentionSetting.lengthen(to: .days(400), on: $0)
        }
        var settings = MaintenanceSettings(retention: .days(4))
        settings.source = "push-1:8080"
        #expect(try await maintain(settings).daysDropped == [])
        #expect(try await rows("delivery") == 12)
        #expect(try await holds().map(\.wantedDays) == [4])

        let plan = try await bench.database.pool.withConnection { try RetentionPlan(to: nil, on: $0) }
        #expect(plan.stored == .days(400))
        #expect(plan.wanted == .days(4))
        #expect(plan.notifications == Int64(plan.days.count))
        #expect(try await rows("delivery") == 12)

        settings.shortensRetention = true
        let report = try await maintain(settings)
        #expect(report.daysDropped.filter { plan.days.contains($0) } == plan.days)
        #expect(try await rows("delivery") == 12 - plan.notifications)
        #expect(plan.notifications >= 6)
        #expect(report.recipientsRemoved == plan.notifications)
        #expect(try await holds() == [])
        let stored = try await bench.database.pool.withConnection { try RetentionSetting.read(on: $0) }
        #expect(stored == .days(4))
        let verification = try await bench.verify()
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == 12 - plan.notifications)
    }

    @Test("the setting of a server that is gone no longer counts; of several that run, the longest does")
    func wishes() async throws {
        func note(_ days: Int64, from source: String) async throws {
            let hold = RetentionHold(
                reasons: [.shorterRetention], days: [], wantedDays: days, storedDays: 400, newestDay: nil)
            try await bench.database.pool.withConnection { try $0.note(.retentionHeld, from: source, hold) }
        }
        func wanted() async throws -> Span {
            try await bench.database.pool.withConnection { try RetentionPlan(to: nil, on: $0).wanted }
        }
        try await note(1, from: "gone:8080")
        try await bench.database.execute(
            "UPDATE landfall.database_condition SET noted_at = now() - interval '36 hours'")
        #expect(try await wanted() == .standardRetention)
        try await note(90, from: "push-1:8080")
        try await note(30, from: "push-2:8080")
        #expect(try await wanted() == .days(90))
    }

    @Test("more than seven days are not dropped at once, nor what belongs to them")
    func manyDays() async throws {
        try await fill(days: 20)
        let report = try await bench.maintain(retention: .days(5))
        #expect(report.daysDropped == [])
        #expect(report.held?.reasons == [.manyDays])
        #expect(try await rows("message_recipient") == 20)
    }

    @Test(
        "a day that is not over by PostgreSQL's clock is never dropped, so the horizon is never in the future"
    )
    func future() async throws {
        try await fill(days: 1)
        for day in [bench.now, bench.now + .days(600)] {
            let error = await #expect(throws: PostgresError.self) {
                try await bench.database.pool.withConnection {
                    _ = try $0.query(.Maintenance.dropPartition, [.value(day)])
                }
            }
            #expect(error?.sqlState?.rawValue == "22023")
        }
        #expect(try await rows("delivery") == 1)
        #expect(try await rows("retention") == 0)
        for day in [bench.now + .days(4_000), bench.now - .days(4_000)] {
            let error = await #expect(throws: PostgresError.self) {
                try await bench.database.pool.withConnection {
                    _ = try $0.query(.Ingestion.ensurePartition, [.value(day)])
                }
            }
            #expect(error?.sqlState?.rawValue == "22023")
        }
    }
}
