import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Reach", .database)
struct ReachReportDatabaseTests {
    private var database: TestDatabase { .current }

    private let reached: DeliveryState = [.attempted, .accepted, .arrived]
    private let clicked: DeliveryState = [.attempted, .accepted, .clicked]
    private let accepted: DeliveryState = [.attempted, .accepted]

    /// Adds token `number`, held by the installation of the same number unless it is `lone`.
    private func addToken(
        _ number: Int, state: String = "active", kind: String = "alert", permission: String = "authorized",
        isErased: Bool = false, isLone: Bool = false
    ) async throws {
        if !isLone {
            try await database.execute(
                """
                INSERT INTO landfall.installation
                    (installation_id, app_id, device_id, permission, first_registered_at, last_registered_at, last_sign_of_life_at,
                     erased_at)
                OVERRIDING SYSTEM VALUE
                VALUES (\(number), 1, gen_random_uuid(), '\(permission)', now(), now(), now(),
                        \(isErased ? "now()" : "NULL"))
                """)
        }
        try await database.execute(
            """
            INSERT INTO landfall.token (
                token_id, app_id, provider, environment, topic, fingerprint, kind, installation_id, state, first_seen_at,
                last_sign_of_life_at, state_changed_at
            ) OVERRIDING SYSTEM VALUE
            VALUES (\(number), 1, 'apns', 'production', '', sha256('\(number)'), '\(kind)',
                    \(isLone ? "NULL" : "\(number)"), '\(state)', now(), now(), now())
            """)
    }

    private func reach(by: [String] = [], filters: [ReportFilter] = []) async throws -> ReachReport {
        let request = ReportRequest(from: "2026-03-01", to: "2026-03-04", by: by, filters: filters)
        return try await database.ask(request) { try ReachReport.run($0, on: $1, now: $2) }
    }

    @Test("counts an installation once, however many days and campaigns reached it")
    func distinct() async throws {
        try await database.addAppsAndCampaigns()
        for number in 1...2 { try await addToken(number) }
        try await database.add([
            .init("2026-03-01T10:00:00Z", reached, token: 1, installation: 1),
            .init("2026-03-02T10:00:00Z", clicked, campaign: 2, token: 1, installation: 1),
            .init("2026-03-02T11:00:00Z", accepted, campaign: 2, token: 2, installation: 2),
            .init("2026-03-04T00:00:00Z", reached, token: 2, installation: 2),
        ])
        let report = try await reach(by: ["day"])
        #expect(report.totals == .init(targeted: 2, reached: 1, engaged: 1, withoutTarget: 0))
        #expect(report.rows.map(\.counts.targeted) == [1, 2])
        #expect(report.rows.map(\.counts.reached) == [1, 1])
        #expect(report.audience == 2)
        #expect(try await reach(filters: [ReportFilter(.campaign, ["spring"])]).totals.targeted == 2)
        #expect(try await reach(by: ["campaign"]).rows.map(\.counts.engaged) == [1, 0])
    }

    @Test("counts as reached audience only those who are still in the audience")
    func reachOfTheAudience() async throws {
        try await database.addAppsAndCampaigns()
        try await addToken(1)
        try await addToken(2, state: "retired")
        try await addToken(3, permission: "denied")
        try await addToken(4, isErased: true)
        try await addToken(5)
        try await addToken(6, isLone: true)
        try await database.add(
            (1...4).map {
                .init(
                    "2026-03-01T10:00:00Z", reached, campaign: 2, token: Int64($0), installation: Int64($0))
            }
                + [
                    // Sent before the token was registered, and once more.
                    .init("2026-03-02T10:00:00Z", reached, campaign: 4, token: 1),
                    .init("2026-03-01T11:00:00Z", accepted, token: 5, installation: 5),
                    .init("2026-03-01T12:00:00Z", reached, campaign: 4, token: 6),
                ])
        // Of these 5, 3 have left: more were reached than the audience has.
        let report = try await reach()
        #expect(report.totals.reached == 5)
        #expect(report.audience == 3)
        #expect(report.audienceReach == Proportion(2, of: 3))
        let lone = try await reach(filters: [ReportFilter(.campaign, ["autumn"])])
        #expect(lone.totals.reached == 2)
        #expect(lone.audienceReached == 2)
        let other = try await reach(filters: [ReportFilter(.campaign, ["spring"])])
        #expect(other.audienceReached == 1)
    }

    @Test("counts a token by itself until an installation registers it, and leaves channels out")
    func loneTokens() async throws {
        try await database.addAppsAndCampaigns()
        try await addToken(1)
        try await addToken(5, isLone: true)
        try await database.add([
            // Sent before token 1 was registered: the row has no installation, the token has one by now.
            .init("2026-03-01T10:00:00Z", reached, token: 1),
            .init("2026-03-01T11:00:00Z", reached, token: 1, installation: 1),
            .init("2026-03-01T12:00:00Z", reached, token: 5),
            .init("2026-03-02T12:00:00Z", reached, token: 5),
            .init("2026-03-01T13:00:00Z", accepted), .init("2026-03-01T14:00:00Z", accepted),
            .init("2026-03-01T15:00:00Z", .arrived, token: 5),
        ])
        let report = try await reach()
        #expect(report.totals == .init(targeted: 2, reached: 2, engaged: 0, withoutTarget: 2))
        #expect(report.unmatched == 1)
    }

    @Test("is broken down and filtered by what was known about the push and its target")
    func traits() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform, app_version,
                                          os_version, language, permission)
            SELECT 1, 'apns', 'production', 'shop', 'alert', '10', platform, version, '18.1', language, 'authorized'
              FROM (VALUES ('ios', '7.1', 'de'), ('ios', '7.2', 'de'), ('ipados', '7.2', '')) AS known (platform, version, language)
            """)
        for number in 1...3 { try await addToken(number) }
        try await database.add([
            .init("2026-03-01T10:00:00Z", reached, token: 1, installation: 1),
            .init("2026-03-02T10:00:00Z", clicked, campaign: 2, token: 1, installation: 1),
            .init("2026-03-02T11:00:00Z", accepted, campaign: 2, token: 2, installation: 2),
            .init("2026-03-02T12:00:00Z", reached, campaign: 3, token: 3, installation: 3),
        ])
        // The first installation was updated between its two notifications.
        try await database.execute(
            "UPDATE landfall.delivery SET segment_id = 2 WHERE installation_id = 1 AND campaign_id = 2")
        try await database.execute("UPDATE landfall.delivery SET segment_id = 3 WHERE installation_id = 3")
        let versions = try await reach(by: ["app_version"])
        #expect(
            versions.rows.map(\.key.parts) == [[.init(.appVersion, "7.1")], [.init(.appVersion, "7.2")]])
        #expect(versions.rows.map(\.counts.targeted) == [2, 2])
        #expect(versions.totals.targeted == 3)
        let languages = try await reach(by: ["language", "platform"])
        #expect(languages.rows.map(\.key.parts.first?.value) == ["de", nil])
        #expect(languages.rows.map(\.counts.reached) == [1, 1])
        #expect(try await reach(filters: [ReportFilter(.language, [""])]).totals.targeted == 1)
        let filters = [ReportFilter(.appVersion, ["7.2"]), ReportFilter(.platform, ["ios"])]
        #expect(
            try await reach(filters: filters).totals
                == .init(targeted: 1, reached: 1, engaged: 1, withoutTarget: 0))
        let variants = try await reach(
            by: ["day", "os_version"], filters: [ReportFilter(.variant, ["A", "B"])])
        #expect(variants.rows.map(\.counts.targeted) == [3])
        #expect(try await reach(filters: [ReportFilter(.platform, ["android"])]).isEmpty)
    }

    @Test("states how much of it is so young that arrivals and clicks are still coming in")
    func completeness() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-03-01T10:00:00Z", reached), .init("2026-03-03T11:59:00Z", accepted),
            .init("2026-03-03T12:00:00Z", accepted, campaign: 2),
        ])
        let report = try await reach()
        #expect(report.completeness == Completeness(young: 1, accepted: 3))
        #expect(report.document.indentedText.contains(#""completeness": {"arrival_window_hours": 24,"#))
        #expect(
            try await reach(filters: [ReportFilter(.campaign, ["spring"])]).completeness
                == Completeness(young: 1, accepted: 1))
        let request = ReportRequest(from: "2026-03-01", to: "2026-03-04")
        let latency = try await database.ask(request) { try LatencyReport.run($0, on: $1, now: $2) }
        #expect(latency.completeness == Completeness(young: 1, accepted: 3))
        #expect(latency.document.indentedText.contains(#""young": 1,"#))
        // A response comes with the attempt: nothing more is to come.
        let byDay = ReportRequest(from: "2026-03-01", to: "2026-03-04", by: ["day"])
        let rejections = try await database.ask(byDay) { try RejectionsReport.run($0, on: $1, now: $2) }
        #expect(rejections.document.indentedText.contains("completeness") == false)
    }

    @Test("does not count an installation for a notification without a known acceptance")
    func contradicted() async throws {
        try await database.addAppsAndCampaigns()
        try await addToken(1)
        try await database.add([
            .init(
                "2026-03-01T10:00:00Z", [.attempted, .rejected(.unknown), .clicked], token: 1, installation: 1
            )
        ])
        #expect(try await reach().totals == .init(targeted: 1, reached: 0, engaged: 0, withoutTarget: 0))
    }

    @Test("has an audience of the installations that can be shown an alert")
    func audience() async throws {
        try await database.addAppsAndCampaigns()
        try await addToken(1)
        try await addToken(2, permission: "denied")
        try await addToken(3, isErased: true)
        try await addToken(4, state: "suspect")
        try await addToken(5, kind: "voip")
        try await addToken(6, kind: "web_push", permission: "")
        try await addToken(7, kind: "fcm", isLone: true)
        #expect(try await reach().audience == 3)
        let status = try await database.pool.withConnection { connection in
            try TokenStatusReport.run(for: shop, on: connection, now: instant("2026-03-04T12:00:00Z"))
        }
        #expect(status.tokens == 7)
        #expect(status.installations == 5)
        #expect(status.erasedInstallations == 1)
        #expect(status.audience == 3)
        #expect(
            status.rows.first == .init(state: "active", kind: "alert", environment: "production", tokens: 3))
        #expect(status.rows.last?.state == "suspect")
    }
}
