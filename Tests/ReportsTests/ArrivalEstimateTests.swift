import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

@Suite("The estimate of arrivals")
struct ArrivalEstimateTests {
    private func estimate(reportable: Int64, arrived: Int64, responded: Int64, lost: Int64) -> ArrivalEstimate
    {
        var counts = MeasureCounts()
        counts[.accepted] = reportable + 100
        counts[.reportable] = reportable
        counts[.arrivedReportable] = arrived
        counts[.respondedReportable] = responded
        counts[.confirmedUnreported] = lost
        return ArrivalEstimate(accepted: 2 * (reportable + 100), capable: counts)
    }

    @Test("adds lost receipts, and is between what was seen and the total")
    func usual() throws {
        // 10 % of the arrivals' reports are lost: 720 of 800 arrived on record, 36 of the 40 with a reaction.
        let estimate = estimate(reportable: 1_000, arrived: 720, responded: 40, lost: 4)
        let estimated = try #require(estimate.estimated)
        // 721 · 41 / 37 − 1
        #expect(abs(estimated.notifications - 797.945_946) < 0.000_001)
        #expect(abs(estimated.value - 0.797_945_946) < 0.000_001)
        #expect(estimated.interval.lowerBound >= 0.724)
        #expect(estimated.interval.contains(0.8))
        #expect(estimate.arrivalCapable == Proportion(720, of: 1_000))
        #expect(estimate.coverage == Proportion(1_100, of: 2_200))
        #expect(estimate.receiptLoss == Proportion(4, of: 40))
        #expect(estimate.recaptures == 36)
    }

    @Test("is at most the total")
    func atMostAll() throws {
        let estimated = try #require(
            estimate(reportable: 1_000, arrived: 900, responded: 60, lost: 30).estimated)
        #expect(estimated.value == 1)
        #expect(estimated.interval.upperBound == 1)
    }

    @Test("needs 30 notifications that were both reported and reacted to, and says so")
    func tooFew() {
        let few = estimate(reportable: 1_000, arrived: 700, responded: 40, lost: 11)
        #expect(few.estimated == nil)
        #expect(few.obstacle == .tooFewRecaptures(29))
        #expect(estimate(reportable: 1_000, arrived: 700, responded: 40, lost: 10).estimated != nil)
        #expect(estimate(reportable: 0, arrived: 0, responded: 0, lost: 0).obstacle == .nothingReportable)
        #expect(ArrivalEstimate(accepted: 0, capable: MeasureCounts()).obstacle == .nothingReportable)
        #expect(ArrivalEstimate(accepted: 1, capable: MeasureCounts()).obstacle == .nothingReports)
    }

    @Test("has the members of a rate, and says what it is based on")
    func document() throws {
        let window = try ReportWindow(
            from: Instant(millisecondsSinceEpoch: 0), to: Instant(millisecondsSinceEpoch: 86_400_000))
        let query = try ReportQuery(app: App(appID: 1, slug: "shop"), window: window, timeZone: .utc)
        let estimate = estimate(reportable: 1_000, arrived: 700, responded: 40, lost: 11)
        let report = try FunnelReport(
            frame: ReportFrame(report: "funnel", query: query, unit: .notifications, asOf: window.to),
            rows: [],
            totals: MeasureCounts(), unmatched: 0,
            context: CounterContext(arrivals: ArrivalEstimates(totals: estimate)))
        let text = report.document.lineText
        #expect(text.contains(#""arrival_capable":{"numerator":700,"denominator":1000,"value":0.7,"low":"#))
        #expect(text.contains(#""coverage":{"numerator":1100,"denominator":2200,"value":0.5,"#))
        #expect(
            text.contains(
                #""arrival_estimated":{"numerator":null,"denominator":1000,"value":null,"low":null,"high":null,"recaptures":29,"receipt_loss":{"numerator":11,"denominator":40,"#
            ))
        #expect(text.contains(#""reason":"only 29 were both reported and seen otherwise; 30 are required""#))
    }
}

@Suite("Estimated arrivals in the funnel", .database)
struct ArrivalEstimateDatabaseTests {
    private var database: TestDatabase { .current }

    private let accepted: DeliveryState = [.attempted, .accepted, .canReport]

    /// 100 pushes to the version that reports: 70 arrived, 32 of these were clicked, 8 were clicked without
    /// an arrival. 50 pushes to a version that never reports.
    private func sendSome() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        let at = "2026-03-01T10:00:00Z"
        let states: [(DeliveryState, Int, Int64)] = [
            (accepted, 22, 1), (accepted.union(.arrived), 38, 1),
            (accepted.union([.arrived, .clicked]), 32, 1),
            (accepted.union(.clicked), 8, 1), (accepted, 50, 3),
        ]
        for (state, count, segment) in states {
            try await database.add(count, .init(at, state, campaign: 2, segment: segment))
        }
        try await database.add(10, .init("2026-03-02T10:00:00Z", accepted.union(.arrived), segment: 4))
    }

    private func funnel(
        from: String = "2026-03-01", by: [String] = [], _ filters: [ReportFilter] = [],
        estimate: ArrivalEstimates.Scope = .shortWindows
    ) async throws -> FunnelReport {
        let request = ReportRequest(from: from, to: "2026-03-03", by: by, filters: filters)
        return try await database.ask(request) {
            try FunnelReport.run($0, on: $1, now: $2, estimate: estimate)
        }
    }

    @Test("cover the versions that have ever reported, along with their share of the total")
    func totals() async throws {
        try await sendSome()
        let estimate = try #require(try await funnel().context.arrivals?.totals)
        #expect(estimate.arrivalCapable == Proportion(80, of: 110))
        #expect(estimate.coverage == Proportion(110, of: 160))
        #expect(estimate.receiptLoss == Proportion(8, of: 40))
        // 81 · 41 / 33 − 1 = 99.636
        #expect(abs(try #require(estimate.estimated?.notifications) - 99.636_364) < 0.000_001)
    }

    @Test("exist for each row with enough data")
    func rows() async throws {
        try await sendSome()
        let report = try await funnel(by: ["campaign"])
        let estimates = report.rows.map { report.context.arrivals?.rows[$0.key] }
        #expect(estimates.map { $0?.arrivalCapable } == [Proportion(70, of: 100), Proportion(10, of: 10)])
        #expect(estimates.map { $0?.estimated == nil } == [false, true])
        let versions = try await funnel(by: ["app_version"])
        let silent = try #require(versions.rows.first { $0.key.parts[0].value == "6.9.2" })
        #expect(versions.context.arrivals?.rows[silent.key]?.obstacle == .nothingReports)
        let filtered = try await funnel([ReportFilter(.platform, ["android"])])
        #expect(filtered.context.arrivals?.totals.coverage == Proportion(10, of: 10))
    }

    @Test("say that no known version reports if all arrivals are on devices that do not state theirs")
    func unknownVersions() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.execute("UPDATE landfall.segment SET app_version = '' WHERE segment_id = 3")
        try await database.add(
            10, .init("2026-03-01T10:00:00Z", accepted.union(.arrived), campaign: 2, segment: 3))
        let report = try await funnel()
        #expect(Rate.arrival.proportion(in: report.totals).value == 1)
        let estimate = try #require(report.context.arrivals?.totals)
        #expect(estimate.coverage == Proportion(0, of: 10))
        #expect(estimate.obstacle?.description.hasPrefix("no known version of the app") == true)
    }

    @Test("are computed for a week, and for longer windows on request")
    func scope() async throws {
        try await sendSome()
        #expect(try await funnel(from: "2026-02-24").context.arrivals != nil)
        let long = try await funnel(from: "2026-02-01")
        #expect(long.context.arrivals == nil)
        #expect(
            long.document.lineText.contains(
                #""reason":"not computed for windows of more than 7 days unless requested (--estimate)""#))
        let asked = try await funnel(from: "2026-02-01", estimate: .always)
        #expect(asked.context.arrivals?.totals.arrivalCapable == Proportion(80, of: 110))
        #expect(try await funnel(estimate: .never).context.arrivals == nil)
    }

    @Test("are rejected if segments add up to more than the headline")
    func contradiction() async throws {
        try await sendSome()
        try await database.corrupt(grain: "quarter", where: "state & 4 = 4")
        try await database.corrupt(grain: "day", where: "state & 4 = 4")
        await #expect(throws: ReportError.self) { _ = try await funnel() }
    }

    @Test("come with how much of the window is still to come")
    func completeness() async throws {
        try await sendSome()
        try await database.add([
            .init("2026-03-03T11:59:59Z", accepted), .init("2026-03-03T12:00:00Z", accepted),
            .init("2026-03-04T11:00:00Z", accepted, segment: 4),
            .init("2026-03-04T11:00:00Z", [.attempted, .rejected(.throttled)]),
        ])
        func completeness(_ to: String, _ filters: [ReportFilter] = []) async throws -> Completeness? {
            let request = ReportRequest(from: "2026-03-01", to: to, filters: filters)
            return try await database.ask(request) { try ClicksReport.run($0, on: $1, now: $2) }.context
                .completeness
        }
        #expect(try await completeness("2026-03-05") == Completeness(young: 2, accepted: 163))
        #expect(try await completeness("2026-03-03") == Completeness(young: 0, accepted: 160))
        let android = [ReportFilter(.platform, ["android"])]
        #expect(try await completeness("2026-03-05", android) == Completeness(young: 1, accepted: 11))
    }
}
