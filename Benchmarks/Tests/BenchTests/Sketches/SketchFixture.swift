import DeliveryModel
import Foundation
import Ingestion
import Logging
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Vault

@testable import landfall_bench

/// Five whole days of notifications and their sketches, the same in every run.
struct SketchFixture {
    let database = TestDatabase.current
    let app = App(appID: 1, slug: "shop")
    let now = Instant(millisecondsSinceEpoch: 1_773_144_000_000)  // 2026-03-10T12:00:00Z
    var firstDay: Instant { now.startOfUTCDay - .days(5) }
    private static let topic = "com.example.shop"

    /// - Parameters:
    ///   - installations: the number of registered installations, with a token each.
    ///   - rows: the notifications per day; half of them belong to one campaign, from 8 to 12 o'clock UTC.
    func fill(installations: Int, rows: Int) async throws {
        try database.numberFromOne()
        try await database.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try await database.pool.withConnection { [app, firstDay] connection in
            let topic = PostgresParameter.value(Self.topic)
            try connection.query(.Bench.nameReportWords, [.value(app.appID), topic])
            try connection.query(
                .Bench.loadReportDevices,
                [.value(app.appID), topic, .value(firstDay), .value(Int64(1)), .value(Int64(installations))])
            for number in 0..<5 {
                let day = firstDay + .days(Int64(number))
                try connection.query(.Ingestion.ensurePartition, [.value(day)])
                let stretches = [
                    ("", "", day, day + .days(1)),
                    ("campaign-0\(number)", number == 0 ? "A" : "", day + .hours(8), day + .hours(12)),
                ]
                for (campaign, variant, from, to) in stretches {
                    try connection.query(
                        .Bench.loadReportDay,
                        [
                            .value(app.appID), .value(from), .value(to), .value(Int64(rows / 2)),
                            .value(campaign), .value(variant),
                        ])
                }
                let bounds: [PostgresParameter] = [
                    .value(app.appID), .value(day), .value(day + .days(1)),
                ]
                try connection.query(.Bench.countLoaded, bounds)
                try connection.query(.Bench.countReportLatencies, bounds)
            }
            try connection.query(.Bench.loadVersionRollup, [.value(app.appID)])
            try SketchExtension.create(on: connection)
        }
    }

    @discardableResult
    func sketch(at instant: Instant? = nil) async throws -> MaintenanceReport.Sketched {
        let instant = instant ?? now
        return try await database.pool.withConnection { try Maintenance().sketch(now: instant, on: $0) }
    }

    func reach(
        by dimensions: [Reports.Dimension] = [], zone: String = "UTC", filters: [ReportFilter] = [],
        from: Instant? = nil, days: Int64 = 6, exactly: Bool = false
    ) async throws -> ReachReport {
        let window = try ReportWindow(from: from ?? firstDay, to: firstDay + .days(days))
        let query = try ReportQuery(
            app: app, window: window, timeZone: ReportTimeZone(zone), by: dimensions, filters: filters)
        return try await database.pool.withConnection { [now] in
            try ReachReport.run(query, on: $0, now: now, exactly: exactly)
        }
    }

    /// Posts a click for each of `count` notifications of a day that have none.
    func click(_ count: Int, onDay number: Int64) async throws {
        let day = firstDay + .days(number)
        let events = try await database.query(
            """
            SELECT notification_id, sent_at FROM landfall.delivery
             WHERE sent_at >= $1 AND sent_at < $2 AND state & 2 <> 0 AND state & 32 = 0
             ORDER BY notification_id LIMIT \(count)
            """, [.value(day), .value(day + .days(1))]
        ) { row in
            Event(
                notificationID: try row.get("notification_id", as: UUID.self),
                sentAt: try row.get("sent_at", as: Instant.self),
                content: .device(DeviceReport(kind: .click)))
        }
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: TokenVault(TokenKey.random()), taxonomy: taxonomy, firstShard: 0,
            logger: Logger(label: "test"))
        _ = try await writer.write(
            events.map { BatchItem(appID: app.appID, text: [], poster: .server, content: .success($0)) })
    }

    func verify() async throws -> Verification {
        try await database.pool.withConnection { try Verification.run(on: $0) }
    }
}
