import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing

@testable import Doctor
@testable import Reports

/// The facts that the doctor reads, by the hour.
@Suite("The facts that the doctor reads", .database)
struct DoctorFactsDatabaseTests {
    private var database: TestDatabase { .current }
    private let examination = Examination(app: shop, asOf: instant("2026-03-01T12:05:00Z"))

    private func rejections() async throws -> RejectedBuilds.Facts {
        try await database.pool.withConnection { [examination] in
            try RejectedBuilds.read(examination, on: $0)
        }
    }

    @Test("rejections are read by build, address and hour, with those of the week before and the responses")
    func rejectedBuilds() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.execute(
            "UPDATE landfall.provider_response SET reason = 'TooLarge' WHERE response_id = 5")
        try await database.add(40, .init("2026-03-01T10:10:00Z", [.attempted, .rejected(.payloadError)]))
        try await database.add([
            .init("2026-03-01T10:50:00Z", [.attempted, .accepted], segment: 5),
            .init("2026-03-01T11:10:00Z", [.attempted, .rejected(.unknown)]),
            .init("2026-03-01T11:10:00Z", [.attempted, .accepted], segment: 4),
            .init("2026-02-25T11:10:00Z", [.attempted, .rejected(.payloadError)]),
            .init("2026-02-25T11:10:00Z", [.attempted, .accepted]),
            .init("2026-02-20T11:10:00Z", [.attempted, .accepted]),
        ])
        let facts = try await rejections()
        let address = RejectedBuilds.Address(provider: "apns", environment: "production", topic: "shop")
        let ten = try #require(facts.lately.first { $0.hour == instant("2026-03-01T10:00:00Z") })
        #expect(ten.address == address)
        #expect(ten.build == AppBuild(platform: "ios", version: "7.2.0"))
        #expect(ten.rejected([.payloadError]) == Proportion(40, of: 41))
        #expect(facts.lately.map(\.attempted).sorted() == [1, 1, 41])
        #expect(facts.before.map { $0.rejected([.payloadError]) } == [Proportion(1, of: 2)])
        #expect(facts.responses.first?.response.spoken == "405 TooLarge")
        #expect(facts.responses.first?.rejected == 40)

        let findings = RejectedBuilds.findings(facts, examination)
        #expect(findings.map(\.id) == [.rejected])
        #expect(findings.first?.sentence.contains("mostly 405 TooLarge") == true)
    }

    @Test("misdirected notifications are a share of those that any device reported, an hour after sending")
    func misdirected() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add([
            .init("2026-03-01T10:10:00Z", [.attempted, .accepted, .misdirected]),
            .init("2026-03-01T10:10:00Z", [.attempted, .accepted, .arrived, .misdirected]),
            .init("2026-03-01T10:10:00Z", [.attempted, .accepted, .clicked]),
            .init("2026-03-01T10:10:00Z", [.attempted, .rejected(.unknown), .clicked]),
            .init("2026-03-01T10:10:00Z", [.attempted, .accepted]),
            .init("2026-03-01T11:50:00Z", [.attempted, .accepted, .misdirected]),
        ])
        let share = try await database.pool.withConnection { [examination] in
            try MisdirectedEvents.read(examination, on: $0)
        }
        #expect(share == Proportion(2, of: 4))
    }

    @Test("responses with the id of another push are read with their hours and latest ids, also once folded")
    func reusedIDs() async throws {
        try await database.addAppsAndCampaigns()
        let ids = (1...4).map { "00000000-0000-0000-0000-00000000000\($0)" }
        try await database.execute(
            """
            INSERT INTO landfall.intake_rollup
                (app_id, hour, shard, received, accepted, duplicates, rejected, reused_ids, reused_id)
            VALUES (1, '2026-02-20T11:00:00Z', 0, 9, 9, 0, 0, 9, gen_random_uuid()),
                   (2, '2026-03-01T11:00:00Z', 0, 9, 9, 0, 0, 9, gen_random_uuid()),
                   (1, '2026-03-01T07:00:00Z', 0, 9, 9, 0, 0, 0, NULL),
                   (1, '2026-03-01T08:00:00Z', 0, 9, 9, 0, 0, 2, '\(ids[0])'),
                   (1, '2026-03-01T09:00:00Z', 0, 9, 9, 0, 0, 3, '\(ids[1])'),
                   (1, '2026-03-01T09:00:00Z', 1, 9, 9, 0, 0, 0, NULL),
                   (1, '2026-03-01T10:00:00Z', 0, 9, 9, 0, 0, 4, '\(ids[2])'),
                   (1, '2026-03-01T10:00:00Z', 1, 9, 9, 0, 0, 1, '\(ids[2])'),
                   (1, '2026-03-01T11:00:00Z', 0, 9, 9, 0, 0, 1, '\(ids[3])'),
                   (1, '2026-03-01T12:00:00Z', 0, 9, 9, 0, 0, 0, NULL)
            """)
        for _ in 0..<2 {
            let facts = try await database.pool.withConnection { [examination] in
                try ReusedIDs.read(examination, on: $0)
            }
            #expect(facts.received == 72 && facts.reused == 11)
            #expect(facts.span == instant("2026-03-01T08:00:00Z")..<instant("2026-03-01T12:00:00Z"))
            #expect(facts.examples.map { $0.uuidString } == [ids[3], ids[2], ids[1]])
            let folded = try await database.pool.withConnection {
                try $0.query(
                    .Maintenance.foldIntakeRollup, [.value(instant("2026-03-01T12:00:00Z")), .value(100)]
                ).single().get("row_count", as: Int64.self)
            }
            #expect(folded == 9 || folded == 0)
        }
    }

    @Test("trouble on devices is read by version, with all items posted in these hours")
    func troubles() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.installation (app_id, device_id, app_version, kit, first_registered_at, last_registered_at,
                                               last_sign_of_life_at)
            VALUES (1, gen_random_uuid(), '7.1.0', '0.1.0', now(), now(), now())
            """)
        try await database.execute(
            """
            INSERT INTO landfall.device_trouble (app_id, quarter, trouble, reporter_id, events)
            SELECT 1, quarter::timestamptz, 'dropped', installation_id, events
              FROM landfall.installation, (VALUES ('2026-03-01T11:00:00Z', 3), ('2026-03-01T11:15:00Z', 1000)) AS said (quarter, events)
             UNION ALL
            VALUES (1, '2026-03-01T11:15:00Z'::timestamptz, 'dropped', -7, 4),
                   (1, '2026-03-01T11:15:00Z', 'clock', -7, 2), (1, '2026-03-01T11:15:00Z', 'clock', -8, 1),
                   (1, '2026-02-20T11:15:00Z', 'clock', -7, 99),
                   (2, '2026-03-01T11:15:00Z', 'unshared', -7, 99)
            """)
        try await database.execute(
            """
            INSERT INTO landfall.intake_rollup (app_id, hour, shard, received, accepted, duplicates, rejected)
            VALUES (1, '2026-03-01T11:00:00Z', 0, 40, 40, 0, 0), (2, '2026-03-01T11:00:00Z', 0, 7, 7, 0, 0),
                   (1, '2026-02-20T11:00:00Z', 0, 90, 90, 0, 0)
            """)
        let facts = try await database.pool.withConnection { [examination] in
            try DeviceTroubles.read(examination, on: $0)
        }
        #expect(
            facts
                == .init(
                    counts: [
                        .init(
                            trouble: .dropped, appVersion: "7.1.0", kit: "0.1.0", events: 1_000, devices: 1,
                            largest: 1_000),
                        .init(
                            trouble: .dropped, appVersion: "", kit: "", events: 4, devices: 1, largest: 4),
                        .init(trouble: .clock, appVersion: "", kit: "", events: 3, devices: 2, largest: 2),
                    ], received: 40))
    }

    @Test("accepted alerts with content-available are counted by campaign, with those that the app reported")
    func contentAvailable() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.execute(
            "UPDATE landfall.segment SET push_type = 'background' WHERE segment_id = 5")
        for campaign in [1, 2, 3] as [Int64] {
            try await database.add([
                .init("2026-03-01T10:10:00Z", [.attempted, .accepted], campaign: campaign),
                .init("2026-03-01T10:20:00Z", [.attempted, .accepted, .witnessed], campaign: campaign),
            ])
        }
        try await database.execute(
            """
            UPDATE landfall.delivery
               SET content_available = true, witness = CASE WHEN campaign_id = 1 THEN 'app' ELSE 'centre' END
            """)
        try await database.add([
            .init("2026-03-01T10:10:00Z", [.attempted, .accepted], campaign: 1, segment: 5),
            .init("2026-03-01T10:10:00Z", [], campaign: 1),
            .init("2026-03-01T10:10:00Z", [.attempted, .rejected(.unknown)], campaign: 1),
            .init("2026-03-01T11:50:00Z", [.attempted, .accepted], campaign: 1),
            .init("2026-02-20T10:10:00Z", [.attempted, .accepted], campaign: 1),
        ])
        try await database.execute(
            """
            UPDATE landfall.delivery
               SET content_available = true, response_rank = CASE WHEN response_id IS NULL THEN 0 ELSE 10 END
            """)
        try await database.add([.init("2026-03-01T10:10:00Z", [.attempted, .accepted], campaign: 4)])
        let facts = try await database.pool.withConnection { [examination] in
            try UnusedWakes.read(examination, on: $0)
        }
        #expect(
            facts == [
                .init(campaign: "spring", alerts: 4, reported: 0, confirmed: 2),
                .init(campaign: "", alerts: 2, reported: 1, confirmed: 1),
            ])
    }

    @Test("missing categories are counted by installation, for registrations of these hours")
    func missingCategories() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.installation (app_id, device_id, app_version, missing_categories, first_registered_at,
                                               last_registered_at, last_sign_of_life_at)
            SELECT app_id, gen_random_uuid(), app_version, categories::text[], at::timestamptz, at::timestamptz, at::timestamptz
              FROM (VALUES (1, '7.1.0', '{order,chat}', '2026-03-01T11:00:00Z'), (1, '7.0.0', '{order}', '2026-03-01T11:00:00Z'),
                           (1, '7.1.0', NULL, '2026-03-01T11:00:00Z'), (1, '7.1.0', '{order}', '2026-02-20T11:00:00Z'),
                           (2, '7.1.0', '{order}', '2026-03-01T11:00:00Z')) AS known (app_id, app_version, categories, at)
            """)
        let facts = try await database.pool.withConnection { [examination] in
            try MissingCategories.read(examination, on: $0)
        }
        #expect(
            facts == [
                .init(category: "order", installations: 2, appVersion: "7.1.0"),
                .init(category: "chat", installations: 1, appVersion: "7.1.0"),
            ])
    }

    @Test("tokens registered under another topic, and pushes for another kind of token, are found")
    func mistakenAddresses() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            WITH registered AS (
                INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, installation_id, state,
                                            first_seen_at, last_sign_of_life_at, state_changed_at)
                SELECT 1, 'apns', 'production', 'com.example.shop', fingerprint::bytea, 'alert', installation_id, 'active',
                       '2026-03-01T11:00:00Z', '2026-03-01T11:00:00Z', '2026-03-01T11:00:00Z'
                  FROM (VALUES ('a', 7), ('b', 8)) AS token (fingerprint, installation_id)
                RETURNING token_id
            )
            INSERT INTO landfall.token_other_address (app_id, token_id, provider, environment, topic, last_said_at,
                                                      response_count, last_status, last_reason)
            SELECT 1, min(token_id), 'apns', 'production', topic, said_at::timestamptz, 3, 400,
                   'DeviceTokenNotForTopic'
              FROM registered
             CROSS JOIN (VALUES ('com.example.shpo', '2026-03-01T11:00:00Z'), ('com.example.old', '2026-02-01T11:00:00Z'))
                        AS said (topic, said_at)
             GROUP BY topic, said_at
            """)
        try await database.execute(
            """
            INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform, app_version,
                                          os_version, language, permission)
            SELECT 1, 'apns', 'production', topic, push_type, '', '', '', '', '', ''
              FROM (VALUES ('com.example.shop', 'voip'), ('com.example.shop', 'alert'), ('com.example.other', 'voip'))
                   AS sent (topic, push_type)
            """)
        try await database.execute(
            """
            INSERT INTO landfall.counter_live (app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard)
            SELECT 1, '2026-03-01T11:00:00Z', 1, segment_id, 0, 3, 3, 0
              FROM landfall.segment WHERE app_id = 1 AND topic LIKE 'com.example.%'
            """)
        let facts = try await database.pool.withConnection { [examination] in
            try MistakenAddresses.read(examination, on: $0)
        }
        #expect(facts.mistakes.map(\.posted.topic) == ["com.example.shpo"])
        #expect(facts.mistakes.map(\.registered.topic) == ["com.example.shop"])
        #expect(facts.mistakes.map(\.tokens) == [1])
        #expect(
            facts.kinds.map { "\($0.pushType) \($0.address.topic) \($0.attempted)" } == [
                "voip com.example.shop 3"
            ])
        let findings = MistakenAddresses.findings(facts, examination)
        #expect(findings.map(\.id) == [.otherTopic, .otherTopic])
        #expect(findings.last?.sentence.contains("registers only tokens of kind alert") == true)
    }

    @Test("devices that alternate, values on many devices and tokens that are dead at every push are found")
    func doubtfulTokens() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, installation_id, state, returned_at,
                                        is_vouched, first_seen_at, last_sign_of_life_at, state_changed_at)
            SELECT 1, 'webpush', 'production', '', fingerprint::bytea, 'web_push', installation_id, 'active',
                   returned_at::timestamptz, is_vouched, '2026-02-01', '2026-02-01', '2026-02-01'
              FROM (VALUES ('a', 7, '2026-02-28', true), ('b', 7, '2026-03-01T10:00:00Z', true),
                           -- One value only, a device key alone, too long ago.
                           ('c', 8, '2026-02-28', true), ('d', 9, '2026-02-28', false), ('e', 9, '2026-02-28', false),
                           ('f', 10, '2026-02-01', true), ('g', 10, '2026-02-28', true))
                   AS token (fingerprint, installation_id, returned_at, is_vouched)
            """)
        try await database.execute(
            """
            INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
            SELECT 1, 3, '2026-03-01T11:00:00Z'::timestamptz, 'active', 'active', 'transferred',
                   jsonb_build_object('to_installation_id', number)
              FROM generate_series(1, 5) AS number
            UNION ALL
            SELECT 1, 4, '2026-03-01T11:00:00Z', 'active', 'active', 'transferred', jsonb_build_object('to_installation_id', 1)
              FROM generate_series(1, 9)
            UNION ALL
            SELECT 1, 5, '2026-03-01T11:00:00Z', 'active', 'suspect', 'late_410_repeated', '{"reason": "Unregistered"}'
            """)
        let facts = try await database.pool.withConnection { [examination] in
            try DoubtfulTokens.read(examination, on: $0)
        }
        #expect(
            facts == [
                .init(doubt: .alternating, amount: 1, tokenID: 1),
                .init(doubt: .wandering, amount: 1, tokenID: 3),
                .init(doubt: .dead, amount: 1, tokenID: 5, reason: "Unregistered"),
            ])
        let findings = DoubtfulTokens.findings(facts, examination)
        #expect(findings.map(\.id) == [.alternatingTokens, .wanderingValues, .deadRegistrations])
        #expect(findings.last?.sentence.contains("#5: Unregistered") == true)
    }

    @Test("what is left to fold has been due since maintenance last ran, or since the database exists")
    func maintenance() async throws {
        try await database.addAppsAndCampaigns()
        let read = { [database, examination] in
            try await database.pool.withConnection { try OverdueMaintenance.read(examination, on: $0) }
        }
        try await database.execute(
            "UPDATE landfall.schema_migration SET applied_at = '2025-12-01T00:00:00Z' WHERE name = 'v001_schema'"
        )
        #expect(try await read().unfoldedQuarters == 0)
        #expect(try await read().maintainedAt == instant("2025-12-01T00:00:00Z"))
        for hour in 0..<25 {
            let sentAt = instant("2026-02-01T00:00:00Z") + .hours(Int64(hour))
            try await database.add((0..<4).map { .init((sentAt + .minutes($0 * 15)).rfc3339, [.attempted]) })
        }
        #expect(try await read().unfoldedQuarters == 100)
        #expect(OverdueMaintenance.findings(try await read(), examination).map(\.id) == [.maintenanceOverdue])
        try await database.pool.withConnection { [examination] in
            _ = try $0.query(.Maintenance.noteMaintained, [.value(examination.asOf - .hours(2))])
        }
        #expect(try await read().maintainedAt == examination.asOf - .hours(2))
        #expect(OverdueMaintenance.findings(try await read(), examination).isEmpty)
    }

    @Test("states and campaigns are counted by the hour of sending")
    func scatteredCounters() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-03-01T10:10:00Z", [.attempted, .accepted]),
            .init("2026-03-01T10:50:00Z", [.attempted, .accepted], campaign: 2),
            .init("2026-03-01T10:55:00Z", [.attempted, .accepted, .clicked], campaign: 2),
            .init("2026-03-01T11:10:00Z", [.attempted, .accepted]),
            .init("2026-03-01T11:20:00Z", [.clicked]),
        ])
        let hours = try await database.pool.withConnection { [examination] in
            try ScatteredCounters.read(examination, on: $0)
        }
        #expect(
            hours == [
                .init(hour: instant("2026-03-01T10:00:00Z"), states: 2, campaigns: 2, notifications: 3),
                .init(hour: instant("2026-03-01T11:00:00Z"), states: 1, campaigns: 1, notifications: 1),
            ])
    }

    @Test("a missing response is not an unknown response")
    func noResponse() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add(3, .init("2026-03-01T10:10:00Z", [.attempted, .rejected(.unknown)]))
        #expect(try await rejections().lately.map { $0.rejected([.unknown]) } == [Proportion(3, of: 3)])
        try await database.execute(
            "UPDATE landfall.provider_response SET status = 0 WHERE outcome_class = 'unknown'")
        let facts = try await rejections()
        #expect(facts.lately.map { $0.rejected([.unknown]) } == [Proportion(0, of: 3)])
        #expect(facts.responses.isEmpty)
    }

    @Test("reports of extensions are read by version and hour, without the last hour")
    func extensions() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        let accepted: DeliveryState = [.attempted, .accepted, .canReport]
        try await database.add([
            .init("2026-03-01T09:10:00Z", accepted.union(.arrived)), .init("2026-03-01T09:50:00Z", accepted),
            .init("2026-03-01T10:10:00Z", accepted.union(.clicked), segment: 5),
            .init("2026-03-01T11:10:00Z", accepted), .init("2026-02-25T11:10:00Z", accepted.union(.arrived)),
            .init("2026-03-01T10:10:00Z", accepted, segment: 2),
        ])
        let facts = try await database.pool.withConnection { [examination] in
            try SilentExtensions.read(examination, on: $0)
        }
        let fact = try #require(facts.first)
        #expect(facts.count == 1)
        #expect(fact.reports)
        #expect(fact.lately.map(\.arrived) == [Proportion(1, of: 2), Proportion(0, of: 1)])
        #expect(fact.lately.map(\.responded) == [Proportion(0, of: 2), Proportion(1, of: 1)])
        #expect(fact.arrivedBefore == Proportion(1, of: 1))
    }

    @Test("growth is read from the days of the last two weeks and their counters")
    func growth() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add(30, .init("2026-02-28T10:10:00Z", [.attempted, .accepted]))
        try await database.add(3, .init("2026-02-01T10:10:00Z", [.attempted, .accepted]))
        try await database.foldCounters()
        let fact = try await database.pool.withConnection { [examination] in
            try DiskRoom.read(examination, on: $0)
        }
        #expect(fact.notifications == 30)
        #expect(fact.bytes > 8_192)
        #expect(fact.oldestDay == instant("2026-02-01T00:00:00Z"))
        #expect(fact.packsDays == false)
        #expect(fact.retentionDays == nil)
    }
}
