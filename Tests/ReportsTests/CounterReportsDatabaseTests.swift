import Access
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("Counter reports", .database)
struct CounterReportsDatabaseTests {
    private var database: TestDatabase { .current }

    private let clicked: DeliveryState = [.attempted, .accepted, .canReport, .arrived, .clicked]
    private let accepted: DeliveryState = [.attempted, .accepted]
    private let rejected: DeliveryState = [.attempted, .rejected(.tokenDead)]

    private func funnel(
        from: String, to: String, zone: String = "UTC", by: [String] = [], filters: [ReportFilter] = []
    ) async throws -> FunnelReport {
        let request = ReportRequest(from: from, to: to, timeZone: zone, by: by, filters: filters)
        return try await database.ask(request) { try FunnelReport.run($0, on: $1, now: $2) }
    }

    @Test("show zeros and no rows if nothing was sent")
    func empty() async throws {
        let report = try await funnel(from: "2026-03-01", to: "2026-03-02", by: ["day"])
        #expect(report.rows.isEmpty)
        #expect(report.totals.isZero)
        #expect(report.unmatched == 0)
    }

    @Test("sum over shards, quarter hours and campaigns, only within the window")
    func totals() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-02-28T23:59:59Z", accepted), .init("2026-03-01T00:00:00Z", clicked),
            .init("2026-03-01T12:07:00Z", clicked, campaign: 2),
            .init("2026-03-01T12:08:00Z", rejected, campaign: 2),
            .init("2026-03-01T23:59:59Z", accepted), .init("2026-03-02T00:00:00Z", accepted),
            .init("2026-03-01T10:00:00Z", .arrived), .init("2026-03-01T10:00:00Z", [.arrived, .local]),
        ])
        let report = try await funnel(from: "2026-03-01", to: "2026-03-02")
        #expect(report.totals[.attempted] == 4)
        #expect(report.totals[.accepted] == 3)
        #expect(report.totals[.rejectedTokenDead] == 1)
        #expect(report.totals[.clicked] == 2)
        #expect(Rate.arrival.proportion(in: report.totals) == Proportion(2, of: 2))
        #expect(report.unmatched == UnmatchedCounts(unmatched: 1, local: 1))
    }

    @Test("cut days at local midnight, in zones of half and quarter hours too")
    func localDays() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-02-28T18:14:00Z", accepted), .init("2026-02-28T18:15:00Z", accepted),
            .init("2026-03-01T18:14:00Z", accepted),
        ])
        let report = try await funnel(
            from: "2026-02-28", to: "2026-03-03", zone: "Asia/Kathmandu", by: ["day"])
        #expect(report.rows.map(\.key.parts) == [[.init(.day, "2026-02-28")], [.init(.day, "2026-03-01")]])
        #expect(report.rows.map { $0.counts[.attempted] } == [1, 2])
    }

    @Test("distinguish the two hours that autumn makes of one")
    func repeatedHour() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-10-25T00:30:00Z", accepted), .init("2026-10-25T01:30:00Z", accepted),
            .init("2026-10-25T01:45:00Z", accepted), .init("2026-10-25T02:00:00Z", accepted),
        ])
        let report = try await funnel(
            from: "2026-10-25", to: "2026-10-26", zone: "Europe/Berlin", by: ["hour"])
        #expect(
            report.rows.map { $0.key.parts[0].value } == [
                "2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00",
            ])
        #expect(report.rows.map { $0.counts[.attempted] } == [1, 2, 1])
        let day = try await funnel(from: "2026-10-25", to: "2026-10-26", zone: "Europe/Berlin", by: ["day"])
        #expect(day.rows.map { $0.counts[.attempted] } == [4])
    }

    @Test("keep a day as one row where midnight comes twice")
    func repeatedMidnight() async throws {
        try await database.addAppsAndCampaigns()
        // In Havana clocks go back from 01:00 to 00:00 on 2026-11-01.
        try await database.add([
            .init("2026-11-01T04:30:00Z", accepted), .init("2026-11-01T05:30:00Z", accepted),
            .init("2026-11-01T12:00:00Z", accepted),
        ])
        let report = try await funnel(
            from: "2026-11-01", to: "2026-11-02", zone: "America/Havana", by: ["day"])
        #expect(report.rows.map(\.key.parts) == [[.init(.day, "2026-11-01")]])
        #expect(report.totals[.attempted] == 3)
    }

    @Test("name weeks and months by their first local day")
    func weeksAndMonths() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-03-01T12:00:00Z", accepted), .init("2026-03-02T12:00:00Z", accepted),
        ])
        let weeks = try await funnel(from: "2026-02-01", to: "2026-04-01", by: ["week"])
        #expect(weeks.rows.map { $0.key.parts[0].value } == ["2026-02-23", "2026-03-02"])
        let months = try await funnel(from: "2026-02-01", to: "2026-04-01", by: ["month"])
        #expect(months.rows.map { $0.key.parts[0].value } == ["2026-03-01"])
    }

    @Test("list campaigns with the largest first, and null for none; a filter limits the rows")
    func campaigns() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-03-01T10:00:00Z", accepted), .init("2026-03-01T10:00:00Z", accepted, campaign: 2),
            .init("2026-03-01T10:00:00Z", rejected, campaign: 3),
        ])
        let all = try await funnel(from: "2026-03-01", to: "2026-03-02", by: ["campaign"])
        #expect(all.rows.map { $0.key.parts[0].value } == ["spring", nil])
        let variants = try await funnel(
            from: "2026-03-01", to: "2026-03-02", by: ["campaign", "variant"],
            filters: [ReportFilter(.campaign, ["spring"])])
        #expect(variants.rows.map { $0.key.parts.map(\.value) } == [["spring", "A"], ["spring", "B"]])
        #expect(variants.totals[.attempted] == 2)
        let none = try await funnel(
            from: "2026-03-01", to: "2026-03-02", filters: [ReportFilter(.campaign, [""])])
        #expect(none.totals[.attempted] == 1)
    }

    @Test("on clicks count what devices confirmed")
    func clicks() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([
            .init("2026-03-01T10:00:00Z", clicked), .init("2026-03-01T10:00:00Z", accepted),
            .init("2026-03-02T10:00:00Z", [.attempted, .accepted, .dismissed]),
        ])
        let request = ReportRequest(from: "2026-03-01", to: "2026-03-03", by: ["day"])
        let report = try await database.ask(request) { try ClicksReport.run($0, on: $1, now: $2) }
        #expect(Rate.clickThrough.proportion(in: report.totals) == Proportion(1, of: 2))
        #expect(Rate.clickPerAccepted.proportion(in: report.totals) == Proportion(1, of: 3))
        #expect(report.rows.map { $0.counts[.dismissed] } == [0, 1])
    }

    @Test("are not printed if counters contradict each other")
    func contradiction() async throws {
        try await database.addAppsAndCampaigns()
        try await database.add([.init("2026-03-01T10:00:00Z", accepted)])
        try await database.execute("UPDATE landfall.counter_live SET state = 1")
        await #expect(throws: ReportError.self) {
            try await funnel(from: "2026-03-01", to: "2026-03-02")
        }
    }

    @Test("know every app and its campaigns")
    func apps() async throws {
        try await database.addAppsAndCampaigns()
        let apps = try await database.pool.withConnection { try AppDirectory($0).apps() }
        #expect(apps == [App(appID: 2, slug: "news"), App(appID: 1, slug: "shop")])
        let campaigns = try await database.pool.withConnection { try shop.values(of: .campaign, on: $0) }
        #expect(campaigns == ["", "autumn", "spring"])
    }

    @Test("read one read-only snapshot")
    func snapshot() async throws {
        try await database.addAppsAndCampaigns()
        await #expect(throws: PostgresError.self) {
            try await database.pool.withConnection { connection in
                try connection.snapshot {
                    _ = try AppDirectory(connection).createApp(slug: "written", at: .now)
                }
            }
        }
        let url = database.url
        let counts = try await database.pool.withConnection { connection in
            try connection.snapshot {
                let before = try AppDirectory(connection).apps().count
                try TestDatabase.connect(to: url).query(
                    .init(
                        name: "", text: "INSERT INTO landfall.app (slug, created_at) VALUES ('third', now())")
                )
                return [before, try AppDirectory(connection).apps().count]
            }
        }
        #expect(counts == [2, 2])
    }
}
