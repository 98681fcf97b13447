import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import Reports

/// Counts from notifications are not available for dropped days; counters are.
@Suite("Dropped days", .database) struct KeptNotificationsDatabaseTests {
    private var database: TestDatabase { .current }

    private let ready: DeliveryState = [.attempted, .accepted, .canReport]

    /// Adds a notification on each of the first three days of March, of which the first is dropped. On the
    /// 2nd one supersedes another.
    private func prepare(and others: [SentNotification] = []) async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add([
            .init("2026-03-01T10:00:00Z", ready.union(.arrived), campaign: 2, token: 1, installation: 1),
            .init("2026-03-02T10:00:00Z", ready, campaign: 2, token: 1, collapseID: "score"),
            .init("2026-03-02T11:00:00Z", ready.union(.arrived), campaign: 2, token: 1, collapseID: "score"),
            .init("2026-03-03T10:00:00Z", ready.union(.arrived), campaign: 2, token: 2, installation: 2),
        ])
        try await database.add(others)
        try await database.execute("SELECT landfall.drop_delivery_partition('2026-03-01')")
    }

    private func request(
        _ from: String, by: [String] = [], _ filters: [ReportFilter] = [], compare: String? = nil,
        in zone: String = "UTC"
    ) -> ReportRequest {
        ReportRequest(
            from: from, to: "2026-03-04", timeZone: zone, by: by, filters: filters, compare: compare)
    }

    private func reach(_ request: ReportRequest, exactly: Bool = false) async throws -> ReachReport {
        try await database.ask(request) { try ReachReport.run($0, on: $1, now: $2, exactly: exactly) }
    }

    private func latency(_ request: ReportRequest) async throws -> LatencyReport {
        try await database.ask(request) { try LatencyReport.run($0, on: $1, now: $2) }
    }

    private func loss(_ request: ReportRequest) async throws -> LossReport {
        try await database.ask(request) { try LossReport.run($0, on: $1, now: $2) }
    }

    @Test(
        "a reach window that begins in them is rejected with the earliest one, one from counters is not",
        arguments: [true, false])
    func reach(exactly: Bool) async throws {
        try await prepare()
        let error = await #expect(throws: ReportError.self) {
            try await reach(request("2026-03-01"), exactly: exactly)
        }
        #expect(
            error == .notificationsDropped(of: "reach", keptFrom: "2026-03-02", isCompared: false))
        #expect(error?.isMistakeInQuestion == true)
        #expect(error?.description.hasSuffix("'from' can be 2026-03-02 at the earliest") == true)
        #expect(try await reach(request("2026-03-02"), exactly: exactly).totals.targeted == 2)
        let funnel = try await database.ask(request("2026-03-01")) {
            try FunnelReport.run($0, on: $1, now: $2)
        }
        #expect(funnel.totals[.attempted] == 4)
    }

    @Test("the earliest window is printed so that it can be typed, in any time zone")
    func zones() async throws {
        try await prepare(and: [.init("2026-03-01T23:30:00Z", ready, campaign: 2, token: 3)])
        let error = await #expect(throws: ReportError.self) {
            try await reach(request("2026-03-02", in: "Europe/Berlin"))
        }
        let keptFrom = "2026-03-02T01:00:00+01:00"
        #expect(error == .notificationsDropped(of: "reach", keptFrom: keptFrom, isCompared: false))
        #expect(try await reach(request(keptFrom, in: "Europe/Berlin")).totals.targeted == 2)
    }

    @Test("an app that had sent nothing then gets every report, for any beginning and comparison")
    func youngApp() async throws {
        try await database.addAppsAndCampaigns()
        try await database.addSegments()
        try await database.add([
            .init("2026-03-03T10:00:00Z", ready.union(.arrived), campaign: 2, token: 2, installation: 2)
        ])
        try await database.execute("INSERT INTO landfall.retention (kept_from) VALUES ('2026-03-02Z')")
        #expect(try await reach(request("2026-01-01")).totals.targeted == 1)
        #expect(try await reach(request("2026-03-03", compare: "2026-03-01")).totals.targeted == 1)
        #expect(try await latency(request("2026-01-01", by: ["app_version"])).counts[.arrived] == 1)
        let spring = [ReportFilter(.campaign, ["spring"])]
        #expect(try await loss(request("2026-01-01", spring)).supersededReason == nil)
    }

    @Test("a comparison with a window that begins in them is rejected too")
    func comparison() async throws {
        try await prepare()
        let error = await #expect(throws: ReportError.self) {
            try await reach(request("2026-03-03", compare: "2026-03-01"))
        }
        #expect(error == .notificationsDropped(of: "reach", keptFrom: "2026-03-02", isCompared: true))
        #expect(error?.description.hasSuffix("'compare' can begin 2026-03-02 at the earliest") == true)
        #expect(try await reach(request("2026-03-03", compare: "previous")).totals.targeted == 1)
    }

    @Test("latencies by trait are rejected, those from counters are not")
    func latencies() async throws {
        try await prepare()
        for asked in [
            request("2026-03-01", by: ["app_version"]),
            request("2026-03-01", [ReportFilter(.platform, ["ios"])]),
        ] {
            let error = await #expect(throws: ReportError.self) { try await latency(asked) }
            #expect(error?.description.contains("'from' can be 2026-03-02 at the earliest") == true)
        }
        #expect(try await latency(request("2026-03-02", by: ["app_version"])).counts[.arrived] == 2)
        #expect(try await latency(request("2026-03-01", by: ["day"])).counts[.arrived] == 3)
    }

    @Test("superseded notifications among them are not looked for, the report says so, and the sums hold")
    func losses() async throws {
        try await prepare()
        let spring = [ReportFilter(.campaign, ["spring"])]
        let kept = try await loss(request("2026-03-02", spring))
        #expect(kept.totals[.superseded] == 1)
        #expect(kept.supersededReason == nil)
        let report = try await loss(request("2026-03-01", by: ["day"], spring))
        #expect(report.totals[.superseded] == nil)
        #expect(report.rows.allSatisfy { $0.counts[.superseded] == nil })
        #expect(report.totals[.unexplained] == 1)
        #expect(report.totals.counts[.attempted] == 4)
        #expect(report.supersededReason?.contains("sent before 2026-03-02 were dropped") == true)
        #expect(report.supersededReason?.hasSuffix("if 'from' is 2026-03-02 at the earliest") == true)
        #expect(report.document.lineText.contains(#""superseded_reason":"not counted, because"#))
        // In both windows, or in none.
        let compared = try await loss(request("2026-03-03", spring, compare: "2026-03-01"))
        #expect(compared.totals[.superseded] == nil)
        // Nothing of the window itself was dropped, so a later beginning would not help.
        #expect(
            compared.supersededReason?.hasSuffix(
                "counted without 'compare', or if it begins 2026-03-02 at the earliest") == true)
        #expect(try await loss(request("2026-03-03", spring)).totals[.superseded] == 0)
        // The same if it begins before the horizon, at a time when nothing was sent.
        let noon = try await loss(request("2026-03-01T12:00:00Z", spring, compare: "2026-02-27"))
        #expect(noon.supersededReason?.contains("counted without 'compare'") == true)
        let superseded = try #require(compared.comparison?.totals.counts.first { $0.id == "superseded" })
        #expect(superseded.before == nil)
    }

    @Test(
        "every report reads rows up to the caller's limit",
        arguments: [["day"], ["platform", "day"]])
    func mostRows(dimensions: [String]) async throws {
        try await prepare()
        let now = instant("2026-03-04T12:00:00Z")
        let asked = request("2026-03-02", by: dimensions, [ReportFilter(.campaign, ["spring"])])
        let plain = try asked.query(for: shop, now: now)
        let reports: [@Sendable (ReportQuery, PostgresConnection) throws -> Void] = [
            { _ = try FunnelReport.run($0, on: $1, now: now) },
            { _ = try ClicksReport.run($0, on: $1, now: now) },
            { _ = try ReachReport.run($0, on: $1, now: now) },
            { _ = try LossReport.run($0, on: $1, now: now) },
        ]
        for report in reports {
            var query = plain
            query.mostRows = 2
            let enough = query
            try await database.pool.withConnection { try report(enough, $0) }
            query.mostRows = 1
            let tooFew = query
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { try report(tooFew, $0) }
            }
            guard case .tooManyRows(_, 1)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
