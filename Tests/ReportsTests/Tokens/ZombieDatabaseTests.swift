import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Zombies", .database)
struct ZombieDatabaseTests {
    private var database: TestDatabase { .current }
    private let now = instant("2026-03-31T12:00:00Z")

    private let silent: DeliveryState = [.attempted, .accepted, .canReport]
    private let seen: DeliveryState = [.attempted, .accepted, .canReport, .arrived]

    /// Adds a build, which has the number of its segment.
    private func addBuild(_ number: Int64, permission: String = "authorized") async throws {
        try await database.execute(
            """
            INSERT INTO landfall.segment (segment_id, app_id, provider, environment, topic, push_type, priority, platform,
                                          app_version, os_version, language, permission)
            OVERRIDING SYSTEM VALUE
            VALUES ($1, 1, 'apns', 'production', '', 'alert', '10', 'ios', '7.' || $1, '', '', $2)
            """, [.value(number), .value(permission)])
    }

    /// Adds an installation with one active token of the same number.
    private func addPhone(
        _ number: Int64, heardDaysAgo days: Int64, account: String? = nil, model: String = "",
        state: String = "active"
    ) async throws {
        try await database.execute(
            """
            INSERT INTO landfall.installation (installation_id, app_id, device_id, platform, model, permission,
                                               first_registered_at, last_registered_at, last_sign_of_life_at)
            OVERRIDING SYSTEM VALUE
            VALUES ($1, 1, md5($1::text)::uuid, 'ios', $3, 'authorized', $2, $2, $2)
            """, [.value(number), .value(now - .days(days)), .value(model)])
        try await database.execute(
            """
            INSERT INTO landfall.token (token_id, app_id, provider, environment, topic, fingerprint, kind, installation_id,
                                        state, first_seen_at, last_sign_of_life_at, state_changed_at)
            OVERRIDING SYSTEM VALUE
            VALUES ($1, 1, 'apns', 'production', '', sha256(int8send($1)), 'alert', $1, $3, $2, $2, $2)
            """, [.value(number), .value(now - .days(days)), .value(state)])
        guard let account else { return }
        try await database.execute(
            "INSERT INTO landfall.account_binding (app_id, installation_id, account, is_verified, bound_at) VALUES (1, $1, $2, true, $3)",
            [.value(number), .value(account), .value(now - .days(days))])
    }

    /// Sends one push a day for this many days, until yesterday.
    private func push(
        to number: Int64, build: Int64, days: Int64 = 20, _ state: DeliveryState
    ) async throws {
        for day in 1...days {
            let sentAt = now - .days(day)
            try await database.execute(
                "SELECT landfall.ensure_delivery_partition(($1 AT TIME ZONE 'UTC')::date)", [.value(sentAt)])
            try await database.execute(
                """
                INSERT INTO landfall.delivery (notification_id, sent_at, app_id, campaign_id, segment_id, token_id,
                                               installation_id, state, response_rank)
                VALUES (gen_random_uuid(), $1, 1, 1, $2, $3, $3, $4, 0)
                """, [.value(sentAt), .value(build), .value(number), .value(state.rawValue)])
        }
    }

    private func report(
        _ change: (inout ZombieRules) -> Void = { _ in }, limit: Int64 = 10
    ) async throws -> ZombieReport {
        var rules = ZombieRules()
        change(&rules)
        return try await database.pool.withConnection { [rules, now] in
            try ZombieReport.run(for: shop, rules, limit: limit, on: $0, now: now)
        }
    }

    @Test("do not exist for a build whose extension never reports")
    func extensionThatNeverReports() async throws {
        try await database.addAppsAndCampaigns()
        for build in [1, 2] as [Int64] { try await addBuild(build) }
        for number in 1...3 as ClosedRange<Int64> {
            try await addPhone(number, heardDaysAgo: 80)
            try await push(to: number, build: 1, silent)
        }
        // All installations of the previous build report.
        try await addPhone(4, heardDaysAgo: 0)
        try await push(to: 4, build: 2, seen)
        let report = try await report()
        #expect(report.zombies == 0)
        #expect(report.builds.map(\.appVersion) == ["7.1", "7.2"])
        #expect(report.builds.map(\.isReporting) == [false, true])
        #expect(report.builds.map(\.reporting) == [0, 1])
        #expect(report.audience == 4)
    }

    @Test("a reinstalled app counts twice")
    func reinstalledPhone() async throws {
        try await database.addAppsAndCampaigns()
        try await addBuild(1)
        // The row left over from before the reinstallation: APNs continues to respond 200.
        try await addPhone(1, heardDaysAgo: 50, account: "anna", model: "iPhone15,2")
        try await push(to: 1, build: 1, silent)
        try await addPhone(2, heardDaysAgo: 0, account: "anna", model: "iPhone15,2")
        try await push(to: 2, build: 1, seen)
        let report = try await report()
        #expect(report.audience == 2)
        #expect(report.zombies == 1)
        #expect(report.duplicates == 1)
        #expect(report.inflation.value == 0.5)
        let zombie = try #require(report.builds.first?.listed.first)
        #expect(zombie.pushes == 20)
        #expect(zombie.heardAt == now - .days(50))
        let twin = try await database.query("SELECT md5('2')::uuid::text") { try $0.get(0, as: String.self) }
        #expect(zombie.twinDeviceID == twin.first)
    }

    @Test("a device of another model or account is no twin")
    func noTwin() async throws {
        try await database.addAppsAndCampaigns()
        try await addBuild(1)
        try await addPhone(1, heardDaysAgo: 50, account: "anna", model: "iPhone15,2")
        try await push(to: 1, build: 1, silent)
        for (number, account, model) in [(2, "anna", "iPad13,1"), (3, "ben", "iPhone15,2")]
            as [(Int64, String, String)]
        {
            try await addPhone(number, heardDaysAgo: 0, account: account, model: model)
            try await push(to: number, build: 1, seen)
        }
        let report = try await report()
        #expect(report.zombies == 1)
        #expect(report.duplicates == 0)
        #expect(report.builds.first?.listed.first?.twinDeviceID == nil)
    }

    @Test("an installation with any sign, too few pushes or outside the audience is no zombie")
    func others() async throws {
        try await database.addAppsAndCampaigns()
        try await addBuild(1)
        try await addBuild(2, permission: "denied")
        for number in [1, 8, 9, 10, 11] as [Int64] {
            try await addPhone(number, heardDaysAgo: 0)
            try await push(to: number, build: 1, seen)
        }
        // Checked in within the window; too few pushes; too close together; retired; alerts not allowed; seen
        // by its user.
        try await addPhone(2, heardDaysAgo: 29)
        try await push(to: 2, build: 1, silent)
        try await addPhone(3, heardDaysAgo: 80)
        try await push(to: 3, build: 1, days: 9, silent)
        try await addPhone(4, heardDaysAgo: 80)
        for _ in 0..<5 { try await push(to: 4, build: 1, days: 2, silent) }
        try await addPhone(5, heardDaysAgo: 80, state: "retired")
        try await push(to: 5, build: 1, silent)
        try await addPhone(6, heardDaysAgo: 80)
        try await push(to: 6, build: 2, silent)
        try await addPhone(7, heardDaysAgo: 80)
        try await push(to: 7, build: 1, silent.union(.clicked))
        #expect(try await report().zombies == 0)
        #expect(try await report { $0.pushes = 9 }.zombies == 1)
    }

    @Test("pushes that no extension could report, or that were rejected or withdrawn, are no evidence")
    func otherPushes() async throws {
        try await database.addAppsAndCampaigns()
        try await addBuild(1)
        try await addPhone(1, heardDaysAgo: 0)
        try await push(to: 1, build: 1, seen)
        let states: [DeliveryState] = [
            [.attempted, .accepted], [.attempted, .rejected(.tokenSuspect), .canReport],
            silent.union(.recalled),
        ]
        for (number, state) in zip(Int64(2)..., states) {
            try await addPhone(number, heardDaysAgo: 80)
            try await push(to: number, build: 1, state)
        }
        #expect(try await report().zombies == 0)
        try await push(to: 2, build: 1, silent)
        #expect(try await report().zombies == 1)
    }

    @Test("are all counted, and listed up to the requested number, those with the most pushes first")
    func limit() async throws {
        try await database.addAppsAndCampaigns()
        try await addBuild(1)
        for number in 1...3 as ClosedRange<Int64> {
            try await addPhone(number, heardDaysAgo: 80)
            try await push(to: number, build: 1, days: 10 + number, silent)
        }
        for number in 4...6 as ClosedRange<Int64> {
            try await addPhone(number, heardDaysAgo: 0)
            try await push(to: number, build: 1, seen)
        }
        let report = try await report(limit: 2)
        #expect(report.zombies == 3)
        #expect(report.builds.first?.listed.map(\.pushes) == [13, 12])
        #expect(try await self.report(limit: 0).builds.map(\.listed.count) == [0])
        #expect(try await self.report { $0.reportingShare = 0.51 }.zombies == 0)
    }

    @Test("dropped days are not read as days without pushes; a request may name fewer days")
    func dropped() async throws {
        try await database.addAppsAndCampaigns()
        try await addBuild(1)
        try await addPhone(1, heardDaysAgo: 80)
        try await push(to: 1, build: 1, days: 29, silent)
        try await addPhone(2, heardDaysAgo: 0)
        try await push(to: 2, build: 1, days: 29, seen)
        #expect(try await report().zombies == 1)
        // The counters know that the app sent something.
        try await database.add([SentNotification("2026-03-11T12:00:00Z", [.attempted, .accepted])])
        // Kept from noon 20 days ago, that is, from the 12th.
        try await database.execute("SELECT landfall.drop_delivery_partition('2026-03-11')")
        let error = await #expect(throws: ReportError.self) { try await report() }
        #expect(error == .daysDropped(of: "zombies", keptFrom: "2026-03-12", most: 19))
        #expect(error?.isMistakeInQuestion == true)
        #expect(error?.description.hasSuffix("'days' can be at most 19") == true)
        #expect(try await report { $0.days = 19 }.zombies == 1)
        await #expect(throws: ReportError.self) { try await report { $0.days = 20 } }
        try await database.execute("UPDATE landfall.counter_live SET app_id = 2")
        #expect(try await report().zombies == 1)
    }
}
