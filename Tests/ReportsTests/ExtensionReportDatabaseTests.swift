import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Doctor
@testable import Reports

@Suite("The health of extensions", .database)
struct ExtensionReportDatabaseTests {
    private var database: TestDatabase { .current }

    private let accepted: DeliveryState = [.attempted, .accepted, .canReport]

    private func health(_ filters: [ReportFilter] = []) async throws -> ExtensionReport {
        let request = ReportRequest(from: "2026-03-01", to: "2026-03-05", filters: filters)
        return try await database.ask(request) { try ExtensionReport.run($0, on: $1, now: $2) }
    }

    private func sendSome() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add([
            .init("2026-03-01T10:00:00Z", accepted.union(.arrived), segment: 1),
            .init("2026-03-01T10:40:00Z", accepted.union([.arrived, .clicked]), segment: 5),
            .init("2026-03-02T10:00:00Z", accepted.union(.clicked), segment: 1),
            .init("2026-03-02T10:00:00Z", accepted, segment: 2),
            .init("2026-03-02T10:00:00Z", [.attempted, .rejected(.throttled)], segment: 4),
        ])
        try await database.add(50, .init("2026-03-02T10:00:00Z", accepted, campaign: 2, segment: 3))
        try await database.add(50, .init("2026-03-02T10:00:00Z", accepted, segment: 4))
    }

    @Test(
        "is listed by version of app and system: what arrived, what was lost, when it last reported")
    func rows() async throws {
        try await sendSome()
        let report = try await health()
        #expect(
            report.rows.map { $0.key.parts.map(\.value) } == [
                ["android", "5.0", "15"], ["ios", "7.2.0", "18.5"], ["ios", "6.9.2", "17.7"],
            ])
        #expect(report.rows.map(\.health) == [.silent, .reports, .neverReports])
        #expect(
            report.rows.map(\.arrival) == [
                Proportion(0, of: 50), Proportion(2, of: 4), Proportion(0, of: 50),
            ])
        #expect(report.rows[1].receiptLoss == Proportion(1, of: 2))
        #expect(report.rows.map(\.lastReportedAt) == [nil, instant("2026-03-01T10:30:00Z"), nil])
        #expect(report.totals[.accepted] == 104)
    }

    @Test("does not blame a version without a reportable push")
    func notAsked() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add([.init("2026-03-01T10:00:00Z", [.attempted, .accepted], segment: 3)])
        #expect(try await health().rows.map(\.health) == [.notAsked])
    }

    @Test(
        "does not judge too little data, and does not call an unknown version one that never reports",
        arguments: [
            (0, 0, true, true, .notAsked), (49, 0, true, true, .tooFew), (49, 0, true, false, .tooFew),
            (50, 0, true, true, .silent), (50, 0, true, false, .neverReports),
            (50, 0, false, false, .unknownVersion),
            (50, 1, false, false, .reports), (50, 1, true, true, .reports),
            (50, 9, true, false, .neverReports),
            (1, 1, true, false, .tooFew),
        ] as [(Int64, Int64, Bool, Bool, ExtensionReport.Health)])
    func verdicts(
        reportable: Int64, arrived: Int64, isVersionKnown: Bool, versionReports: Bool,
        expected: ExtensionReport.Health
    ) {
        var counts = MeasureCounts()
        counts[.reportable] = reportable
        counts[.arrivedReportable] = arrived
        #expect(
            ExtensionReport.Health(
                counts, isVersionKnown: isVersionKnown, versionReports: versionReports) == expected)
    }

    @Test("has no verdict on unknown versions, even if some of these reported before")
    func unknownVersion() async throws {
        try await sendSome()
        try await database.execute(
            """
            INSERT INTO landfall.segment (
                app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language, permission
            ) VALUES (1, 'apns', 'production', 'shop', 'alert', '10', 'ios', '', '', 'de', 'authorized')
            """)
        try await database.add([.init("2026-02-20T10:00:00Z", accepted.union(.arrived), segment: 7)])
        try await database.add(50, .init("2026-03-02T10:00:00Z", accepted, segment: 7))
        let rows = try await health([ReportFilter(.appVersion, [""])]).rows
        #expect(rows.map(\.health) == [.unknownVersion])
        #expect(
            try await health([ReportFilter(.appVersion, [""])]).document.lineText.contains(
                #""health":"unknown_version""#))
    }

    @Test("can be limited by filters")
    func filters() async throws {
        try await sendSome()
        #expect(try await health([ReportFilter(.platform, ["android"])]).rows.map(\.health) == [.silent])
        #expect(try await health([ReportFilter(.campaign, ["spring"])]).rows.map(\.health) == [.neverReports])
        #expect(try await health([ReportFilter(.platform, ["web"])]).isEmpty)
    }

    @Test("has rows with health next to counts and rates")
    func document() async throws {
        try await sendSome()
        let text = try await health([ReportFilter(.appVersion, ["7.2.0"])]).document.lineText
        #expect(
            text.contains(
                #""rows":[{"key":{"platform":"ios","app_version":"7.2.0","os_version":"18.5"},"counts":{"accepted":4,"reportable":4,"arrived_reportable":2,"confirmed_unreported":1,"responded_reportable":2},"rates":{"arrival":{"numerator":2,"denominator":4,"#
            ))
        #expect(text.contains(#""health":"reports","last_reported_at":"2026-03-01T10:30:00+00:00""#))
    }

    /// Adds nine days of 50 pushes an hour to ios 7.2.0 and android 5.0, of which 45 arrive; since some hours
    /// ago, of those to ios only this many.
    private func sendDays(arriving: Int64, sinceHoursAgo hours: Int64) async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.execute(
            """
            INSERT INTO landfall.counter_live
                (app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard)
            SELECT 1, sent.quarter, 1, version.segment_id, 0, part.notifications, part.state, 0
              FROM generate_series('2026-02-23T12:00Z'::timestamptz, '2026-03-04T11:00Z', '1 hour') AS sent (quarter)
             CROSS JOIN (VALUES (1), (4)) AS version (segment_id)
             CROSS JOIN LATERAL (
                       SELECT CASE WHEN version.segment_id = 1
                                    AND sent.quarter >= '2026-03-04T12:00Z'::timestamptz - $1 * interval '1 hour'
                                   THEN $2 ELSE 45 END AS arrived) AS share
             CROSS JOIN LATERAL (VALUES ($3::bigint, share.arrived), ($4::bigint, 50 - share.arrived))
                     AS part (state, notifications)
             WHERE part.notifications > 0
            """,
            [
                .value(hours), .value(arriving), .value(accepted.union(.arrived).rawValue),
                .value(accepted.rawValue),
            ])
    }

    private func findings() async throws -> [Finding] {
        try await database.pool.withConnection { connection in
            let examination = Examination(app: shop, asOf: instant("2026-03-04T12:00:00Z"))
            return try SilentExtensions.checkup(examination, on: connection).findings
        }
    }

    @Test(
        "agrees with the doctor: a version that it names is not called well, in any window up to the present",
        arguments: [(0, 25, .silent), (0, 3, .silent), (20, 25, .reportsLess), (45, 25, .reports)]
            as [(Int64, Int64, ExtensionReport.Health)], ["7d", "2026-02-23", "48h"])
    func agrees(silence: (arriving: Int64, hours: Int64, expected: ExtensionReport.Health), from: String)
        async throws
    {
        try await sendDays(arriving: silence.arriving, sinceHoursAgo: silence.hours)
        let report = try await database.ask(ReportRequest(from: from)) {
            try ExtensionReport.run($0, on: $1, now: $2)
        }
        #expect(report.rows.map(\.key.parts.first?.value) == ["android", "ios"])
        #expect(report.rows.map(\.health) == [.reports, silence.expected])
        let named = try await findings().filter { $0.sentence.contains("ios 7.2.0") }
        #expect(named.isEmpty == (silence.expected == .reports))
        // A window that has ended says what happened in it.
        let past = try await database.ask(ReportRequest(from: "2026-02-23", to: "2026-03-01")) {
            try ExtensionReport.run($0, on: $1, now: $2)
        }
        #expect(past.rows.map(\.health) == [.reports, .reports])
    }

    @Test("calls a version silent that has reported nothing for longer than a week")
    func longSilence() async throws {
        try await sendDays(arriving: 0, sinceHoursAgo: 24 * 8 + 12)
        let report = try await database.ask(ReportRequest(from: "30d")) {
            try ExtensionReport.run($0, on: $1, now: $2)
        }
        #expect(report.rows.map(\.health) == [.reports, .silent])
    }

    private func addInstallation(_ platform: String, _ appVersion: String, kit: String, app: Int64 = 1)
        async throws
    {
        try await database.execute(
            """
            INSERT INTO landfall.installation (app_id, device_id, platform, app_version, kit, first_registered_at,
                                               last_registered_at, last_sign_of_life_at)
            VALUES ($1, gen_random_uuid(), $2, $3, $4, now(), now(), now())
            """, [.value(app), .value(platform), .value(appVersion), .value(kit)])
    }

    @Test("names the kits of each app version, and the runs that did not end well")
    func runs() async throws {
        try await sendSome()
        for (kit, count) in [("0.2.0", 3), ("0.10.0", 1), ("", 2)] {
            for _ in 0..<count { try await addInstallation("ios", "7.2.0", kit: kit) }
        }
        try await addInstallation("android", "7.2.0", kit: "9.9.9")
        try await addInstallation("ios", "6.9.2", kit: "0.0.9", app: 2)
        for (outcome, segment) in [("expired", 1), ("attachment_failed", 5)] {
            try await database.execute(
                "UPDATE landfall.delivery SET extension_outcome = $1 WHERE segment_id = $2",
                [.value(outcome), .value(Int64(segment))])
        }
        let rows = try await health().rows
        #expect(
            rows.map(\.runs) == [
                ExtensionRuns(expired: 0, attachmentsFailed: 0),
                // The second run of this version did not report an arrival.
                ExtensionRuns(kits: ["0.10.0", "0.2.0"], expired: 1, attachmentsFailed: 1),
                ExtensionRuns(expired: 0, attachmentsFailed: 0),
            ])
        #expect(try await health([ReportFilter(.campaign, ["spring"])]).rows.map(\.runs.expired) == [0])
    }

    @Test("says nothing of runs whose notifications are no longer kept")
    func dropped() async throws {
        try await sendSome()
        for day in ["2026-03-01", "2026-03-02"] {
            try await database.execute("SELECT landfall.drop_delivery_partition($1::date)", [.value(day)])
        }
        #expect(try await health().rows.map(\.runs.expired) == [nil, nil, nil])
    }

    @Test("is rejected if it differs from the headline counters")
    func contradiction() async throws {
        try await sendSome()
        try await database.corrupt(grain: "headline_day", where: "state & 8 = 8")
        try await database.corrupt(grain: "headline_quarter", where: "state & 8 = 8")
        await #expect(throws: ReportError.self) { _ = try await health() }
    }
}

@Suite struct VersionOrderTests {
    @Test(
        "newer versions come first, by their numbers and not by their digits",
        arguments: [
            ("7.10.0", "7.9.3"), ("7.2", "7.1.9"), ("7.2.1", "7.2"), ("26.0", "18.5"),
            ("7.3.0", "7.3.0-beta.1"),
            ("7.3.0-beta.2", "7.3.0-beta.1"), ("10", "9"), ("7.3-beta.10", "7.3.0-beta.9"),
        ])
    func newer(one: String, other: String) {
        #expect(VersionOrder.isNewer(one, than: other))
        #expect(VersionOrder.isNewer(other, than: one) == false)
    }

    @Test("trailing zeros make no other version, and the order is still total")
    func zeros() {
        let keys = ["7.1", "7.1.0"].map { RowKey([.init(.appVersion, $0)]) }
        #expect(VersionOrder.isNewer("7.1", than: "7.1.0") == false)
        #expect(VersionOrder.isNewer("7.1.0", than: "7.1") == false)
        #expect(VersionOrder.comesBefore(keys[0], keys[1]) != VersionOrder.comesBefore(keys[1], keys[0]))
    }
}
