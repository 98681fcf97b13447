import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Verification of a database", .database)
struct VerificationDatabaseTests {
    private var database: TestDatabase { .current }

    private func verify() async throws -> Verification {
        try await database.pool.withConnection { try Verification.run(on: $0) }
    }

    private func addSample() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-03-01T10:00:00Z", [.attempted, .accepted, .canReport, .arrived]),
            .init(
                "2026-03-01T10:01:00Z", [.attempted, .rejected(.throttled), .rejected(.tokenDead)],
                campaign: 2),
            .init("2026-03-03T10:00:00Z", [.attempted, .accepted, .recalled], campaign: 3),
            .init("2026-03-02T10:00:00Z", .clicked), .init("2026-03-02T10:00:00Z", [.clicked, .local]),
        ])
    }

    @Test("finds no difference in an empty database")
    func empty() async throws {
        #expect(try await verify() == Verification())
    }

    @Test("finds no difference if counters were kept")
    func noDifference() async throws {
        try await addSample()
        let verification = try await verify()
        #expect(verification.notifications == 5)
        // Each of the five is in a state of its own.
        #expect(verification.counters == 5)
        #expect(verification.differenceCount == 0)
    }

    @Test("finds a wrong counter, in live rows and in every grain")
    func counterOff() async throws {
        try await addSample()
        try await database.execute(
            "UPDATE landfall.counter_live SET notifications = notifications + 1 WHERE state = 1 | 2 | 4 | 8")
        let live = try await verify()
        #expect(live.differences.map(\.table) == ["counter"])
        #expect(live.differences.map(\.part?.state) == ["attempted accepted can_report arrived"])
        #expect(live.differences.allSatisfy { $0.recorded == $0.counted + 1 })
        try await database.execute(
            "UPDATE landfall.counter_live SET notifications = notifications - 1 WHERE state = 1 | 2 | 4 | 8")
        for (grain, table) in [
            ("day", "counter_day"), ("headline_quarter", "headline_quarter"),
            ("headline_day", "headline_day"),
        ] {
            try await database.corrupt(grain: grain, where: "state = 128 | 3")
            let verification = try await verify()
            #expect(verification.differences.map(\.table) == [table])
            #expect(verification.differences.allSatisfy { $0.counted == 1 && $0.recorded == 2 })
            try await database.execute(
                "UPDATE landfall.counter SET notifications = 1 WHERE grain = '\(grain)' AND state = 128 | 3")
        }
        #expect(try await verify().differenceCount == 0)
    }

    @Test("names the response and the bucket of a counter")
    func parts() async throws {
        try await addSample()
        try await database.execute(
            "UPDATE landfall.counter_live SET notifications = 3 WHERE response_id <> 0")
        try await database.execute(
            """
            INSERT INTO landfall.latency_rollup (app_id, quarter, campaign_id, stage, bucket, shard, notifications)
            VALUES (1, '2026-03-01 10:00Z', 1, 'arrival', 57, 0, 1)
            """)
        let verification = try await verify()
        let rejected: DeliveryState = [.attempted, .rejected(.throttled), .rejected(.tokenDead)]
        #expect(
            verification.differences.map(\.part) == [
                .state(rejected.rawValue, responseID: 1), .latency(stage: "arrival", bucket: 57),
            ])
        let names = try await database.pool.withConnection { try verification.names(on: $0) }
        let document = verification.document(names: names).lineText
        #expect(
            document.contains(
                #""state":"attempted rejected_token_dead rejected_throttled","answer":"apns 401 token_dead","stage":null,"bucket":null,"version":null,"measure":"notifications""#
            ))
        #expect(
            document.contains(
                #""answer":null,"stage":"arrival","bucket":57,"version":null,"measure":"notifications""#))
    }

    @Test("finds arrivals with an uncounted latency, and latencies without an arrival")
    func times() async throws {
        try await addSample()
        try await database.execute(
            "UPDATE landfall.delivery SET arrived_after_ms = 1000, clicked_after_ms = 5000")
        let verification = try await verify()
        // One of five was accepted and arrived, and it was not clicked.
        #expect(verification.differences.map(\.table) == ["latency_rollup"])
        #expect(verification.differences.map(\.counted) == [1])
    }

    @Test("finds uncounted notifications, even before and after everything that is counted")
    func uncounted() async throws {
        try await addSample()
        for day in ["2025-12-31", "2026-03-02", "2026-04-01"] {
            try await database.addRow(.init("\(day)T10:00:00Z", [.attempted]))
        }
        let verification = try await verify()
        #expect(verification.notifications == 8)
        #expect(Set(verification.differences.map(\.quarter)).count == 3)
        #expect(verification.differences.allSatisfy { $0.counted == 1 && $0.recorded == 0 })
    }

    @Test("finds counters whose notifications are gone, and names app and campaign")
    func gone() async throws {
        try await addSample()
        try await database.execute("DELETE FROM landfall.delivery WHERE campaign_id = 3")
        let verification = try await verify()
        let names = try await database.pool.withConnection { try verification.names(on: $0) }
        #expect(verification.differences.allSatisfy { $0.counted == 0 && $0.campaignID == 3 })
        #expect(names.apps[1] == "shop")
        #expect(names.campaigns == [3: "spring/B"])
    }

    @Test("of one app recounts that one, and finds only its differences")
    func oneApp() async throws {
        try await addSample()
        try await database.execute(
            "UPDATE landfall.counter_live SET notifications = notifications + 1 WHERE app_id = 1")
        let verify = { [database] (appID: Int64?) in
            try await database.pool.withConnection { try Verification.run(appID: appID, on: $0) }
        }
        let (all, one, other) = (try await verify(nil), try await verify(1), try await verify(2))
        #expect(one.differenceCount > 0)
        #expect(one.differences == all.differences)
        #expect(other.differenceCount == 0)
        #expect(one.notifications == all.notifications)
        #expect(other.notifications == 0)
        #expect(other.counters < one.counters)
    }

    @Test("does not recount dropped days, but those that follow")
    func dropped() async throws {
        try await addSample()
        try await database.execute("SELECT landfall.drop_delivery_partition('2026-03-02')")
        let verification = try await verify()
        // The two of 1 March still have their rows, but are past the horizon.
        #expect(verification.notifications == 1)
        #expect(verification.differenceCount == 0)
        try await database.execute("DELETE FROM landfall.delivery WHERE sent_at >= '2026-03-03Z'")
        #expect(try await verify().differenceCount > 0)
    }

    @Test("compares counters of days with their quarter hours even if the notifications were dropped")
    func droppedDays() async throws {
        try await addSample()
        try await database.foldCounters()
        try await database.execute("DELETE FROM landfall.counter WHERE grain = 'day' AND campaign_id = 2")
        try await database.execute("SELECT landfall.drop_delivery_partition('2026-03-02')")
        let verification = try await verify()
        #expect(Set(verification.differences.map(\.table)) == ["counter_day"])
        #expect(Set(verification.differences.map(\.quarter)) == [instant("2026-03-01T00:00:00Z")])
        #expect(verification.differences.allSatisfy { $0.recorded == 0 })
    }

    @Test("finds items that were received and are unaccounted for")
    func intake() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.intake_rollup (app_id, hour, shard, received, accepted, duplicates, rejected)
            VALUES (1, '2026-03-01 10:00Z', 0, 10, 4, 3, 2), (1, '2026-03-01 11:00Z', 0, 5, 5, 0, 0)
            """)
        let verification = try await verify()
        #expect(verification.received == 15)
        #expect(verification.differences.map(\.measure) == ["received", "rejected"])
        #expect(verification.differences.map(\.table) == ["intake_rollup", "quarantine_count"])
        #expect(verification.differences.map(\.quarter) == [instant("2026-03-01T10:00:00Z"), nil])
        #expect(verification.differences.map(\.counted) == [9, 2])
        #expect(verification.differences.map(\.recorded) == [10, 0])
    }

    @Test("finds rejected items that are gone without having been counted")
    func quarantine() async throws {
        try await database.addAppsAndCampaigns()
        try await database.execute(
            """
            INSERT INTO landfall.intake_rollup (app_id, hour, shard, received, accepted, duplicates, rejected)
            VALUES (1, '2026-03-01 10:00Z', 0, 2, 0, 0, 2)
            """)
        try await database.execute(
            """
            INSERT INTO landfall.quarantine_count (app_id, poster, shard, kept, kept_bytes)
            VALUES (1, 'server', 0, 2, 9)
            """)
        let verification = try await verify()
        #expect(verification.differences.map(\.measure) == ["server_items", "server_bytes"])
        #expect(verification.differences.map(\.recorded) == [2, 9])
        #expect(verification.differences.map(\.counted) == [0, 0])
    }
}
