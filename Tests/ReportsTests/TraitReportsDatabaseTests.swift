import DeliveryModel
import PostgresClient
import Reports
import TestDatabase
import Testing

@Suite("Reports by traits of push and target", .database)
struct TraitReportsDatabaseTests {
    private var database: TestDatabase { .current }

    private let clicked: DeliveryState = [.attempted, .accepted, .canReport, .arrived, .clicked]
    private let accepted: DeliveryState = [.attempted, .accepted, .canReport]
    private let rejected: DeliveryState = [.attempted, .rejected(.tokenDead)]

    private func sendSome() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add([
            .init("2026-03-01T10:00:00Z", clicked, segment: 1),
            .init("2026-03-01T10:20:00Z", accepted, segment: 1),
            .init("2026-03-01T11:00:00Z", accepted, campaign: 2, segment: 2),
            .init("2026-03-02T10:00:00Z", accepted, campaign: 2, segment: 3),
            .init("2026-03-02T10:00:00Z", clicked, campaign: 3, segment: 4),
            .init("2026-03-02T10:00:00Z", rejected, campaign: 3, segment: 4),
            .init("2026-03-02T12:00:00Z", clicked, campaign: 4, segment: 5),
        ])
    }

    private func request(by: [String], _ filters: [ReportFilter] = []) -> ReportRequest {
        ReportRequest(from: "2026-03-01", to: "2026-03-03", by: by, filters: filters)
    }

    private func funnel(by: [String] = [], _ filters: [ReportFilter] = []) async throws -> FunnelReport {
        try await database.ask(request(by: by, filters)) { try FunnelReport.run($0, on: $1, now: $2) }
    }

    private func clicks(by: [String] = [], _ filters: [ReportFilter] = []) async throws -> ClicksReport {
        try await database.ask(request(by: by, filters)) { try ClicksReport.run($0, on: $1, now: $2) }
    }

    @Test("count what was sent to each, the largest first")
    func rows() async throws {
        try await sendSome()
        let versions = try await funnel(by: ["platform", "app_version"])
        #expect(
            versions.rows.map { $0.key.parts.map(\.value) } == [
                ["ios", "7.2.0"], ["android", "5.0"], ["ios", "6.9.2"],
            ])
        #expect(versions.rows.map { $0.counts[.attempted] } == [4, 2, 1])
        #expect(versions.rows.map { $0.counts[.clicked] } == [2, 1, 0])
        let topics = try await clicks(by: ["topic"])
        #expect(topics.rows.map { $0.key.parts[0].value } == ["shop", nil])
        let days = try await clicks(by: ["day", "language"])
        #expect(
            days.rows.map { $0.key.parts.map(\.value) } == [
                ["2026-03-01", "de"], ["2026-03-02", "en"], ["2026-03-02", "de"],
            ])
    }

    @Test(
        "add up to the totals, and each row equals the totals filtered by it",
        arguments: Dimension.allCases.filter(\.isTrait) + [.campaign, .variant])
    func rowsAreFilters(dimension: Dimension) async throws {
        try await sendSome()
        let all = try await funnel()
        let split = try await funnel(by: [dimension.rawValue])
        let clicksSplit = try await clicks(by: [dimension.rawValue])
        #expect(split.totals == all.totals)
        #expect(split.rows.reduce(0) { $0 + $1.counts[.attempted] } == 7)
        for row in split.rows {
            let filter = ReportFilter(dimension, [row.key.parts[0].value ?? ""])
            #expect(try await funnel([filter]).totals == row.counts)
            let clicksRow = clicksSplit.rows.first { $0.key == row.key }
            #expect(try await clicks([filter]).totals == clicksRow?.counts)
        }
        let names = split.rows.map { $0.key.parts[0].value ?? "" }
        #expect(try await funnel([ReportFilter(dimension, names)]).totals == all.totals)
        #expect(try await funnel([ReportFilter(dimension, ["nobody has this"])]).totals.isZero)
    }

    @Test("keep what matches all filters")
    func severalFilters() async throws {
        try await sendSome()
        let report = try await funnel(
            by: ["campaign"],
            [
                ReportFilter(.platform, ["ios"]), ReportFilter(.language, ["de"]),
                ReportFilter(.campaign, ["", "spring"]),
            ])
        #expect(report.rows.map { $0.key.parts[0].value } == [nil, "spring"])
        #expect(report.rows.map { $0.counts[.attempted] } == [2, 2])
    }
}
