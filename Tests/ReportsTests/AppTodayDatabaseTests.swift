import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports
@testable import TokenLifecycle

@Suite("An app's day so far", .database) struct AppTodayDatabaseTests {
    private var database: TestDatabase { .current }

    private let clicked: DeliveryState = [.attempted, .accepted, .canReport, .arrived, .clicked]
    private let accepted: DeliveryState = [.attempted, .accepted]
    private let rejected: DeliveryState = [.attempted, .rejected(.tokenDead)]

    private func today(_ now: String, zone: String = "UTC") async throws -> AppToday {
        let (now, zone) = (instant(now), try ReportTimeZone(zone))
        return try await database.pool.withConnection { connection in
            try AppToday.run(for: shop, in: zone, on: connection, now: now)
        }
    }

    @Test("is empty, with no last quarter hour, if the database is empty")
    func empty() async throws {
        try await database.addAppsAndCampaigns()
        let day = try await today("2026-03-02T10:07:00Z")
        #expect(day.lastQuarter == nil)
        #expect(day.today.isEmpty && day.yesterday.isEmpty)
        #expect(day.quarters.count == 96)
        #expect(day.received.received == 0)
    }

    @Test("is cut at local midnight and compared with the day before up to the same quarter hour")
    func windows() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            // In Berlin, the last quarter hour of the day before, and the first of this one.
            .init("2026-03-01T22:59:00Z", accepted), .init("2026-03-01T23:00:00Z", clicked, campaign: 2),
            .init("2026-03-02T10:06:00Z", rejected, campaign: 2), .init("2026-03-02T10:14:59Z", accepted),
            // The day before: earlier than that time of day, and later.
            .init("2026-02-28T23:00:00Z", accepted), .init("2026-03-01T10:14:59Z", clicked),
            .init("2026-03-01T10:15:00Z", clicked),
        ])
        let day = try await today("2026-03-02T10:07:00Z", zone: "Europe/Berlin")
        #expect(day.today.totals[.attempted] == 3)
        #expect(day.today.rows.map { $0.key.parts[0].value } == ["spring", nil])
        #expect(day.yesterday.totals[.attempted] == 2)
        #expect(day.yesterday.frame.query.window.to == instant("2026-03-01T10:15:00Z"))
        #expect(day.lastHour.map(\.attempted) == [0, 0, 0, 2])
        #expect(day.lastHour.first?.quarter == instant("2026-03-02T09:15:00Z"))
        #expect(day.lastQuarter == instant("2026-03-02T10:00:00Z"))
        #expect(day.quarters.map(\.clicked).reduce(0, +) == 2)
    }

    @Test("is the first quarter hour right after midnight, and never reads past the day before")
    func midnight() throws {
        let windows = try AppToday.Windows(instant("2026-03-02T00:00:00Z"), in: .utc)
        #expect(windows.today.from == instant("2026-03-02T00:00:00Z"))
        #expect(windows.today.to == instant("2026-03-02T00:15:00Z"))
        #expect(windows.yesterday.to == instant("2026-03-01T00:15:00Z"))
        // 25 hours, compared with the 24 of the day before.
        let autumn = try AppToday.Windows(
            instant("2026-10-25T22:59:00Z"), in: ReportTimeZone("Europe/Berlin"))
        #expect(autumn.yesterday.to == autumn.today.from)
    }

    @Test(
        "is compared with the same time of day, even if clocks change on one of the two days",
        arguments: [
            // 10:15 of a day with 23 hours, and of the day after it.
            ("2026-03-29T08:07:00Z", "2026-03-28T09:15:00Z"),
            ("2026-03-30T08:07:00Z", "2026-03-29T08:15:00Z"),
            // 02:15, which did not exist the day before: everything up to the change.
            ("2026-03-30T00:07:00Z", "2026-03-29T01:00:00Z"),
            // 10:15 of a day with 25 hours, and of the day after it.
            ("2026-10-25T09:07:00Z", "2026-10-24T08:15:00Z"),
            ("2026-10-26T09:07:00Z", "2026-10-25T09:15:00Z"),
            // 02:15 for the first time and again; and compared with a day that had it twice, both times.
            ("2026-10-25T00:07:00Z", "2026-10-24T00:15:00Z"),
            ("2026-10-25T01:07:00Z", "2026-10-24T00:15:00Z"),
            ("2026-10-26T01:07:00Z", "2026-10-25T01:15:00Z"),
        ])
    func changedClocks(now: String, end: String) throws {
        let windows = try AppToday.Windows(instant(now), in: ReportTimeZone("Europe/Berlin"))
        #expect(windows.yesterday.to == instant(end))
    }

    @Test("counts what was received since an hour")
    func received() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.intake_rollup (app_id, hour, shard, received, accepted, duplicates, rejected)
            VALUES (1, '2026-03-02 09:00Z', 0, 10, 7, 2, 1), (1, '2026-03-02 09:00Z', 1, 5, 5, 0, 0),
                   (1, '2026-03-02 08:00Z', 0, 100, 100, 0, 0), (2, '2026-03-02 09:00Z', 0, 1000, 1000, 0, 0)
            """)
        let since = instant("2026-03-02T09:59:00Z")
        let items = try await database.pool.withConnection {
            try ReceivedItems.read(of: shop, since: since, on: $0)
        }
        #expect(items == ReceivedItems(received: 15, accepted: 12, duplicates: 2, rejected: 1))
    }

    @Test("includes what an open breaker holds back")
    func breakers() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.token_breaker (app_id, environment, topic, opened_at)
            VALUES (1, 'production', 'com.example.shop', '2026-03-02 09:00Z'), (2, 'production', 'other', now())
            """)
        let health = try await database.pool.withConnection {
            try TokenHealth.run(for: shop, on: $0, now: instant("2026-03-02T10:00:00Z"))
        }
        #expect(
            health.breakers == [
                .init(
                    environment: "production", topic: "com.example.shop",
                    openedAt: instant("2026-03-02T09:00:00Z"), heldTokens: 0)
            ])
        #expect(health.states.known == 0)
    }

    @Test("has every value that a dimension has had")
    func values() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform,
                                          app_version, os_version, language, permission)
            VALUES (1, 'apns', 'production', 't', 'alert', '', 'ios', '7.1', '18.1', 'de', 'authorized'),
                   (1, 'apns', 'production', 't', 'alert', '10', 'ios', '7.2', '18.1', 'de', 'authorized'),
                   (2, 'fcm', 'production', 't', 'alert', '', 'android', '1', '15', 'en', '')
            """)
        let values = try await database.pool.withConnection { connection in
            try Dimension.filters.map { try shop.values(of: $0, on: connection) }
        }
        let known = Dictionary(uniqueKeysWithValues: zip(Dimension.filters, values))
        #expect(known[.campaign] == ["", "autumn", "spring"])
        #expect(known[.variant] == ["", "A", "B"])
        #expect(known[.appVersion] == ["7.1", "7.2"])
        #expect(known[.priority] == ["", "10"])
        #expect(known[.platform] == ["ios"])
        #expect(known.values.allSatisfy { !$0.isEmpty })
    }
}
