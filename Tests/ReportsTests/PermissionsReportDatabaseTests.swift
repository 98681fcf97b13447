import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Permissions", .database)
struct PermissionsReportDatabaseTests {
    private var database: TestDatabase { .current }

    /// Adds an installation, with its permissions and when it registered them.
    private func add(
        _ number: Int, _ registered: String, platform: String = "ios", imported: String = "",
        turnedOff: String = "NULL", isErased: Bool = false, app: Int = 1, _ periods: [(String, String)] = []
    ) async throws {
        try await database.execute(
            """
            INSERT INTO landfall.installation
                (installation_id, app_id, device_id, platform, app_version, permission, turned_off, first_registered_at,
                 last_registered_at, last_sign_of_life_at, erased_at)
            OVERRIDING SYSTEM VALUE
            VALUES (\(number), \(app), gen_random_uuid(), '\(platform)', '7.1', '\(periods.last?.0 ?? imported)', \(turnedOff),
                    '\(registered)', '\(periods.last?.1 ?? registered)', now(), \(isErased ? "now()" : "NULL"))
            """)
        for (position, period) in periods.enumerated() {
            let end = position + 1 < periods.count ? "'\(periods[position + 1].1)'" : "NULL"
            try await database.execute(
                """
                INSERT INTO landfall.permission_period (app_id, installation_id, permission, started_at, ended_at)
                VALUES (\(app), \(number), '\(period.0)', '\(period.1)', \(end))
                """)
        }
    }

    /// Three days, with what was there before.
    private func addThreeDays() async throws {
        try await database.addAppsAndCampaigns()
        try await add(
            1, "2026-02-20T00:00:00Z",
            [("not_determined", "2026-02-20T00:00:00Z"), ("authorized", "2026-03-01T10:00:00Z")])
        try await add(
            2, "2026-02-20T00:00:00Z",
            [
                ("authorized", "2026-02-20T00:00:00Z"), ("denied", "2026-03-02T09:00:00Z"),
                ("authorized", "2026-03-02T20:00:00Z"), ("denied", "2026-03-03T01:00:00Z"),
            ])
        try await add(
            3, "2026-03-02T10:00:00Z", platform: "android", turnedOff: "'{alert,sound}'",
            [("authorized", "2026-03-02T10:00:00Z")])
        // It registered without a permission first.
        try await add(
            4, "2026-03-02T11:00:00Z", platform: "android", turnedOff: "'{sound}'",
            [("provisional", "2026-03-03T12:00:00Z")])
        // At midnight.
        try await add(
            5, "2026-03-03T00:00:00Z", turnedOff: "'{alert}'", [("denied", "2026-03-03T00:00:00Z")])
        try await add(6, "2026-02-20T00:00:00Z", isErased: true)
        try await add(7, "2026-02-20T00:00:00Z", app: 2, [("denied", "2026-03-01T10:00:00Z")])
        try await add(8, "2026-02-25T00:00:00Z", imported: "denied")
        // After the three days.
        try await add(9, "2026-03-04T00:00:00Z", [("authorized", "2026-03-04T00:00:00Z")])
        try await add(10, "2026-02-28T23:59:59.999Z", [("ephemeral", "2026-02-28T23:59:59.999Z")])
    }

    private func permissions(
        by: [String] = [], from: String = "2026-03-01", to: String? = "2026-03-04", zone: String? = nil,
        filters: [ReportFilter] = [], asOf: String? = nil
    ) async throws -> PermissionsReport {
        let request = ReportRequest(from: from, to: to, timeZone: zone, by: by, filters: filters)
        return try await database.ask(request) { query, connection, now in
            try PermissionsReport.run(
                query, on: connection, now: asOf.map(instant) ?? now, isPast: asOf != nil)
        }
    }

    /// asked, turned off and turned on; installations; granted, provisional, ephemeral, denied, not
    /// determined, unknown.
    private func text(_ counts: PermissionsReport.Counts) -> String {
        PermissionsReport.Number.allCases.map { String(counts[$0]) }.joined(separator: " ")
    }

    private func lines(_ report: PermissionsReport) -> [String] {
        report.rows.map { row in
            "\(row.key.parts.compactMap(\.value).joined(separator: " ")): \(text(row.counts))"
        }
    }

    @Test("are those at the end of each day, with the changes during the day")
    func days() async throws {
        try await addThreeDays()
        let report = try await permissions(by: ["day"])
        #expect(
            lines(report) == [
                "2026-03-01: 1 0 0 4 2 0 1 1 0 0", "2026-03-02: 1 1 1 6 3 0 1 1 0 1",
                "2026-03-03: 2 1 0 7 2 1 1 3 0 0",
            ])
        #expect(text(report.totals) == "4 2 1 7 2 1 1 3 0 0")
        #expect(report.totals.optIn == Proportion(4, of: 7))
        #expect(try await permissions().rows.isEmpty)
        #expect(try await permissions().totals == report.totals)
        let week = try await permissions(by: ["week"])
        #expect(
            lines(week) == ["2026-02-23: 1 0 0 4 2 0 1 1 0 0", "2026-03-02: 3 2 1 7 2 1 1 3 0 0"])
    }

    @Test("have the days of their time zone")
    func zones() async throws {
        try await addThreeDays()
        // The installation of 23:59 UTC counts as asked on the first day.
        #expect(
            lines(try await permissions(by: ["day"], zone: "Europe/Berlin")) == [
                "2026-03-01: 2 0 0 4 2 0 1 1 0 0", "2026-03-02: 1 1 1 6 3 0 1 1 0 1",
                "2026-03-03: 2 1 0 7 2 1 1 3 0 0",
            ])
    }

    @Test("are divided and filtered by what registrations say, and add up")
    func traits() async throws {
        try await addThreeDays()
        #expect(
            lines(try await permissions(by: ["platform"]))
                == ["ios: 2 2 1 5 1 0 1 3 0 0", "android: 2 0 0 2 1 1 0 0 0 0"])
        #expect(
            lines(try await permissions(by: ["platform", "day"])) == [
                "ios 2026-03-01: 1 0 0 4 2 0 1 1 0 0", "ios 2026-03-02: 0 1 1 4 2 0 1 1 0 0",
                "android 2026-03-02: 1 0 0 2 1 0 0 0 0 1", "ios 2026-03-03: 1 1 0 5 1 0 1 3 0 0",
                "android 2026-03-03: 1 0 0 2 1 1 0 0 0 0",
            ])
        let android = try await permissions(filters: [ReportFilter(.platform, ["android"])])
        #expect(text(android.totals) == "2 0 0 2 1 1 0 0 0 0")
        let versions = try await permissions(
            by: ["app_version", "os_version"], filters: [ReportFilter(.appVersion, ["7.1"])])
        #expect(lines(versions) == ["7.1: 4 2 1 7 2 1 1 3 0 0"])
        #expect(versions.rows[0].key.parts[1].value == nil)
        let none = try await permissions(by: ["day"], filters: [ReportFilter(.language, ["xx"])])
        #expect(none.isEmpty && none.rows.isEmpty)
    }

    @Test("as of a past instant are without what was registered then or later")
    func past() async throws {
        try await addThreeDays()
        #expect(
            lines(try await permissions(by: ["day"], asOf: "2026-03-02T20:00:00Z"))
                == ["2026-03-01: 1 0 0 4 2 0 1 1 0 0", "2026-03-02: 1 1 0 6 2 0 1 2 0 1"])
        let morning = try await permissions(asOf: "2026-03-01T09:00:00Z")
        #expect(text(morning.totals) == "0 0 0 4 1 0 1 1 1 0")
        #expect(morning.frame.asOf == instant("2026-03-01T09:00:00Z"))
    }

    @Test("know who turned alerts off only at present, and count only those who allow notifications")
    func alerts() async throws {
        try await addThreeDays()
        let present = try await permissions(by: ["day"], to: nil)
        #expect(present.rows.map(\.counts.alertsOff) == [nil, nil, nil, 1])
        #expect(present.totals.alertsOff == 1)
        #expect(try await permissions(by: ["day"]).totals.alertsOff == nil)
        #expect(try await permissions(to: nil, asOf: "2026-03-04T11:00:00Z").totals.alertsOff == nil)
        #expect(try await permissions(by: ["platform"], to: nil).rows.map(\.counts.alertsOff) == [0, 1])
        let document = present.document.lineText
        #expect(document.contains(#""cohort":"registered_at""#))
        #expect(document.contains(#""alerts_off":null"#) && document.contains(#""alerts_off":1}"#))
    }

    @Test("of an app without installations are none, and on its first day those of that day")
    func firstDay() async throws {
        try await database.addAppsAndCampaigns()
        for by in [[], ["day"], ["platform"]] {
            let report = try await permissions(by: by)
            #expect(report.isEmpty && report.rows.isEmpty && report.totals.optIn.value == nil)
            #expect(report.sheet.headline == "No installation is known at the end of this window.")
        }
        try await add(1, "2026-03-04T11:30:00Z", [("denied", "2026-03-04T11:30:00Z")])
        let days = try await permissions(by: ["day"], from: "7d", to: nil)
        #expect(days.rows.map(\.counts[.installations]) == [0, 0, 0, 0, 0, 0, 1])
        #expect(days.rows.map(\.counts[.asked]) == [0, 0, 0, 0, 0, 0, 1])
        let hours = try await permissions(by: ["hour"], from: "2026-03-04", to: nil)
        #expect(hours.rows.map(\.counts[.denied]) == Array(repeating: 0, count: 11) + [1])
        #expect(hours.rows.last?.key.parts[0].value == "2026-03-04T11:00:00+00:00")
    }

    @Test("can be compared with the time before")
    func comparison() async throws {
        try await addThreeDays()
        let request = ReportRequest(from: "2026-03-03", to: "2026-03-04", compare: "previous")
        let report = try await database.ask(request) { try PermissionsReport.run($0, on: $1, now: $2) }
        let changes = try #require(report.comparison).totals.counts
        let asked = try #require(changes.first { $0.id == "asked" })
        let installations = try #require(changes.first { $0.id == "installations" })
        #expect(asked.before == 1 && asked.now == 2)
        #expect(installations.before == 6 && installations.now == 7)
    }

    @Test("are never more rows than the caller accepts, although days without a change are rows")
    func manyRows() async throws {
        try await addThreeDays()
        await #expect(throws: PostgresError.self) {
            try await database.ask(ReportRequest(from: "2026-02-01", to: "2026-03-04", by: ["day"])) {
                var query = $0
                query.mostRows = 20
                return try PermissionsReport.run(query, on: $1, now: $2)
            }
        }
    }

    @Test("of what only notifications have are errors")
    func mistakes() {
        let now = instant("2026-03-04T12:00:00Z")
        func ask(_ request: ReportRequest) throws {
            _ = try request.query(for: shop, now: now, report: PermissionsReport.name)
        }
        for dimension in [Dimension.topic, .provider, .permission] {
            let error = ReportError.notOfInstallations(dimension)
            #expect(throws: error) { try ask(ReportRequest(by: ["day", dimension.rawValue])) }
            #expect(throws: error) { try ask(ReportRequest(filters: [ReportFilter(dimension, ["x"])])) }
            #expect(error.isMistakeInQuestion)
        }
        #expect(throws: ReportError.notOfInstallations(.day)) { try ask(ReportRequest(by: ["day,campaign"])) }
        #expect(throws: ReportError.notOfInstallations(.platform)) {
            try ask(
                ReportRequest(by: ["variant"], filters: [ReportFilter(.platform, ["ios"])]))
        }
        #expect(throws: Never.self) {
            try ask(ReportRequest(by: ["campaign,variant"], filters: [ReportFilter(.campaign, ["x"])]))
        }
        #expect(throws: ReportError.onlyOfClicks(.action, report: "permissions")) {
            try ask(ReportRequest(by: ["action"]))
        }
        #expect(throws: Never.self) {
            try ask(ReportRequest(by: ["hour,language"], filters: [ReportFilter(.osVersion, [""])]))
        }
    }

    @Test("that contradict each other are not printed")
    func contradictions() throws {
        let frame = try sampleFrame("permissions", by: [.platform], unit: .installations)
        let one = PermissionsReport.Counts([.installations: 1, .granted: 1])
        let row = PermissionsReport.Row(key: RowKey([.init(.platform, "ios")]), counts: one)
        #expect(throws: Never.self) { try PermissionsReport(frame: frame, rows: [row], totals: one) }
        for totals: PermissionsReport.Counts in [
            .init([.installations: 2, .granted: 1]), .init([.installations: 2, .granted: 2]),
            .init([.installations: 1, .granted: 2, .denied: -1]),
            .init([.installations: 1, .granted: 1, .asked: 1]),
            .init([.installations: 1, .granted: 1], alertsOff: 2),
        ] {
            #expect(throws: ReportError.self) {
                try PermissionsReport(frame: frame, rows: [row], totals: totals)
            }
        }
    }

    // MARK: - Opt-outs after pushes

    private func optOuts(
        by: [String], filters: [ReportFilter] = [], asOf: String? = nil
    ) async throws -> OptOutsReport {
        let request = ReportRequest(from: "2026-03-01", to: "2026-03-04", by: by, filters: filters)
        return try await database.ask(request) { query, connection, now in
            try OptOutsReport.run(query, on: connection, now: asOf.map(instant) ?? now)
        }
    }

    private func lines(_ report: OptOutsReport) -> [String] {
        report.rows.map { row in
            let key = row.key.parts.map { $0.value ?? "-" }.joined(separator: " ")
            return "\(key): \(row.counts.optOuts) of \(row.counts.pushed)"
        }
    }

    private func addPushes() async throws {
        try await database.addAppsAndCampaigns()
        let start = "2026-02-20T00:00:00Z"
        let denials: [Int: String] = [
            1: "2026-03-02T09:59:59.999Z", 2: "2026-03-02T10:00:00Z", 3: "2026-03-02T08:00:00Z",
            4: "2026-02-27T05:00:00Z", 5: "2026-03-03T12:00:00Z",
        ]
        for number in 1...6 {
            let first = (number == 6 ? "provisional" : "authorized", start)
            try await add(number, start, [first] + (denials[number].map { [("denied", $0)] } ?? []))
        }
        try await add(7, start, isErased: true)
        let (accepted, dead): (DeliveryState, DeliveryState) = (
            [.attempted, .accepted], [.attempted, .rejected(.tokenDead)]
        )
        func push(_ at: String, _ campaign: Int64, _ number: Int64, _ state: DeliveryState)
            -> SentNotification
        {
            .init("2026-\(at):00:00Z", state, campaign: campaign, token: number, installation: number)
        }
        try await database.add([
            push("03-01T10", 2, 1, accepted), push("03-01T10", 2, 2, accepted), push("03-01T10", 3, 3, dead),
            push("03-01T20", 4, 3, accepted), push("03-01T10", 2, 4, accepted),
            push("03-02T10", 2, 5, accepted), push("03-03T10", 2, 5, accepted),
            push("03-01T10", 1, 6, accepted),
            push("03-01T10", 2, 7, accepted), push("02-28T10", 4, 6, accepted),
        ])
    }

    @Test("are those within a day after a row's first push, of installations that allowed notifications")
    func afterPushes() async throws {
        try await addPushes()
        let campaigns = try await optOuts(by: ["campaign"])
        #expect(lines(campaigns) == ["spring: 2 of 4", "-: 0 of 1", "autumn: 1 of 1"])
        #expect(campaigns.totals == .init(pushed: 5, optOuts: 2))
        #expect(
            lines(try await optOuts(by: ["variant"])) == ["A: 1 of 3", "-: 1 of 2", "B: 1 of 1"])
        #expect(
            lines(try await optOuts(by: ["campaign", "variant"], filters: [ReportFilter(.variant, ["B"])]))
                == ["spring B: 1 of 1"])
        let autumn = try await optOuts(by: [], filters: [ReportFilter(.campaign, ["autumn"])])
        #expect(autumn.rows.isEmpty && autumn.totals == .init(pushed: 1, optOuts: 1))
        #expect(try await optOuts(by: ["campaign"], filters: [ReportFilter(.campaign, ["x"])]).rows.isEmpty)
        let morning = try await optOuts(by: ["campaign"], asOf: "2026-03-02T09:00:00Z")
        #expect(lines(morning) == ["spring: 1 of 3", "-: 0 of 1", "autumn: 1 of 1"])
    }

    @Test("count once in the total if they count in any row, whichever campaign was pushed first")
    func total() async throws {
        try await addPushes()
        let start = "2026-02-20T00:00:00Z"
        try await add(
            8, start,
            [
                ("denied", start), ("authorized", "2026-03-02T12:00:00Z"), ("denied", "2026-03-02T20:00:00Z"),
            ])
        // A day after the first push to 5; and 8 denied notifications at the first one.
        let pushes: [(at: String, campaign: Int64, number: Int64)] = [
            ("03-03T11", 4, 5), ("03-01T12", 2, 8), ("03-02T13", 4, 8),
        ]
        try await database.add(
            pushes.map {
                SentNotification(
                    "2026-\($0.at):00:00Z", [.attempted, .accepted], campaign: $0.campaign, token: $0.number,
                    installation: $0.number)
            })
        let campaigns = try await optOuts(by: ["campaign"])
        #expect(lines(campaigns) == ["spring: 2 of 4", "autumn: 3 of 3", "-: 0 of 1"])
        #expect(campaigns.totals == .init(pushed: 6, optOuts: 4))
        #expect(campaigns.sheet.headline.contains("after the first push of a campaign: "))
        let chosen = ReportFilter(.campaign, ["spring", "autumn"])
        let together = try await optOuts(by: [], filters: [chosen])
        #expect(together.totals == .init(pushed: 4, optOuts: 2))
        #expect(together.sheet.headline.contains("after the first push: "))
        let none = try await optOuts(by: ["campaign"], filters: [ReportFilter(.campaign, ["x"])])
        #expect(none.totals == .init(pushed: 0, optOuts: 0))
    }

    @Test("are not printed if a row has more than the total")
    func largerRow() throws {
        let frame = try sampleFrame("permissions", by: [.campaign], unit: .installations)
        let row = OptOutsReport.Row(
            key: RowKey([.init(.campaign, "spring")]), counts: .init(pushed: 3, optOuts: 2))
        func check(_ pushed: Int64, _ optOuts: Int64) throws {
            _ = try OptOutsReport(
                frame: frame, rows: [row], totals: .init(pushed: pushed, optOuts: optOuts),
                usual: Proportion(0, of: 0))
        }
        #expect(throws: Never.self) { try check(3, 2) }
        for (pushed, optOuts): (Int64, Int64) in [(3, 1), (2, 2)] {
            #expect(throws: ReportError.self) { try check(pushed, optOuts) }
        }
    }

    @Test("are compared with the rate of the whole app in the seven days before")
    func usual() async throws {
        try await addPushes()
        // Six installations on six days, five on the last.
        let report = try await optOuts(by: ["campaign"])
        #expect(report.usual == Proportion(1, of: 41))
        let difference = ProportionDifference(from: Proportion(1, of: 41), to: Proportion(2, of: 5))
        let value = try #require(difference.value)
        let document = report.document.lineText
        #expect(document.contains(#""usual_opt_out":{"numerator":1,"denominator":41,"#))
        #expect(
            document.contains(
                #""opt_out_difference":{"numerator":null,"denominator":null,"value":\#(value),"#))
        #expect(document.contains(#""cohort":"sent_at""#))
    }

    @Test("are not counted if notifications of the window are no longer kept")
    func dropped() async throws {
        try await addPushes()
        try await database.execute("SELECT landfall.drop_delivery_partition('2026-03-01')")
        await #expect(throws: ReportError.self) { _ = try await optOuts(by: ["campaign"]) }
    }
}
