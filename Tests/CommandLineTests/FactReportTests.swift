import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle
import Vault

/// The reports about rejections and latencies, for pushes to two builds.
@Suite(.database) struct FactReportTests {
    private let database = TestDatabase.current
    private let vault = TokenVault(.random())
    private let shop = App(appID: firstApp, slug: "shop")
    /// 2026-03-01 10:00 UTC.
    private let sentAt = Instant(millisecondsSinceEpoch: 1_772_359_200_000)

    private struct Push {
        var token = "aa11"
        var status = 200
        var reason: String?
        var campaign = ""
        var environment = Environment.production
        var daysLater: Int64 = 0
        var arrived: Span?
        var clicked: Span?
    }

    private func address(_ value: String, _ environment: Environment = .production) -> TokenAddress {
        TokenAddress(
            provider: "apns", environment: environment, topic: "com.example.shop", kind: .alert, value: value)
    }

    private func register(_ value: String, appVersion: String) async throws {
        var registration = Registration(deviceID: UUID(), registeredAt: sentAt - .days(1))
        registration.platform = "ios"
        registration.appVersion = appVersion
        registration.tokens = [address(value)]
        let posted = registration
        try await database.pool.withTransaction { [vault, sentAt] connection in
            _ = try DeviceRegistry(vault: vault).register(
                posted, appID: firstApp, now: sentAt - .days(1), on: connection)
        }
    }

    private func post(_ pushes: [Push]) async throws {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, firstShard: 0,
            logger: Logger(label: "test")
        )
        let events = pushes.flatMap { push -> [Event] in
            let (id, sentAt) = (UUID(), sentAt + .days(push.daysLater))
            var response = ProviderResponse(provider: "apns", status: push.status)
            response.reason = push.reason
            response.campaign = push.campaign
            response.environment = push.environment
            response.topic = "com.example.shop"
            response.target = .token(address(push.token, push.environment))
            var events = [Event(notificationID: id, sentAt: sentAt, content: .response(response))]
            for (kind, after) in [(DeviceReport.Kind.arrival, push.arrived), (.click, push.clicked)] {
                guard let after else { continue }
                var report = DeviceReport(kind: kind)
                report.occurredAt = sentAt + after
                events.append(Event(notificationID: id, sentAt: sentAt, content: .device(report)))
            }
            return events
        }
        _ = try await writer.write(
            events.map { BatchItem(appID: firstApp, text: [], poster: .server, content: .success($0)) },
            now: sentAt + .days(2))
    }

    private func addSample() async throws {
        try await database.execute("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try await register("aa11", appVersion: "7.0.0")
        try await register("bb22", appVersion: "7.1.0")
        let dead = Push(status: 410, reason: "Unregistered", campaign: "spring")
        var slow = Push(token: "bb22", status: 429, reason: "TooManyRequests")
        slow.daysLater = 1
        try await post(
            Array(repeating: dead, count: 3) + [slow]
                + [
                    Push(token: "cc33", status: 418, reason: "Teapot", environment: .sandbox),
                    Push(arrived: .seconds(1), clicked: .minutes(2)),
                    Push(campaign: "spring", arrived: .seconds(4)),
                    Push(token: "bb22", daysLater: 1, arrived: .minutes(3)), Push(token: "bb22"),
                ])
    }

    private func ask<Result: Report>(
        _ request: ReportRequest,
        _ run: @escaping @Sendable (ReportQuery, PostgresConnection, Instant) throws -> Result
    ) async throws -> Result {
        let now = sentAt + .days(2)
        var request = request
        (request.from, request.to) = ("2026-03-01", "2026-03-03")
        let query = try request.query(for: shop, now: now)
        return try await database.pool.withConnection { try run(query, $0, now) }
    }

    private func rejections(by: [String] = [], _ filters: [ReportFilter] = []) async throws
        -> RejectionsReport
    {
        try await ask(ReportRequest(by: by, filters: filters)) {
            try RejectionsReport.run($0, on: $1, now: $2)
        }
    }

    private func latency(by: [String] = [], _ filters: [ReportFilter] = []) async throws -> LatencyReport {
        try await ask(ReportRequest(by: by, filters: filters)) { try LatencyReport.run($0, on: $1, now: $2) }
    }

    /// Returns lines such as `2026-03-01 | apns 410 Unregistered | 3/5`.
    private func lines(_ report: RejectionsReport) -> [String] {
        report.rows.map { row in
            let key = row.key.parts.map { $0.value ?? "–" }.joined(separator: " ")
            return "\(key) | \(row.response.words) | \(row.share.numerator)/\(row.share.denominator)"
        }
    }

    @Test(
        "by default, rejections are broken down by topic, environment and app version, each compared with its own pushes"
    )
    func standardBreakdown() async throws {
        try await addSample()
        let report = try await rejections()
        #expect(
            lines(report) == [
                "com.example.shop production 7.0.0 | apns 410 Unregistered | 3/5",
                "com.example.shop production 7.1.0 | apns 429 TooManyRequests | 1/3",
                "com.example.shop sandbox – | apns 418 Teapot | 1/1",
            ])
        #expect(report.rejected == 5)
        #expect(report.rows.map(\.response.rejectionClass) == [.tokenDead, .throttled, .unknown])
        #expect(report.rows.map(\.response.retry) == [.no, .afterDelay, .no])
        #expect(report.rows[0].response.tokenVerdict == .invalidateIfNotReregistered)
    }

    @Test(
        "rejections can be broken down by one or two of any dimension",
        arguments: [
            (
                ["day"],
                [
                    "2026-03-01 | apns 410 Unregistered | 3/7", "2026-03-01 | apns 418 Teapot | 1/7",
                    "2026-03-02 | apns 429 TooManyRequests | 1/2",
                ]
            ),
            (
                ["campaign"],
                [
                    "spring | apns 410 Unregistered | 3/4", "– | apns 418 Teapot | 1/5",
                    "– | apns 429 TooManyRequests | 1/5",
                ]
            ),
            (
                ["app_version", "provider"],
                [
                    "7.0.0 apns | apns 410 Unregistered | 3/5",
                    "– apns | apns 418 Teapot | 1/1", "7.1.0 apns | apns 429 TooManyRequests | 1/3",
                ]
            ),
        ])
    func breakdowns(by: [String], expected: [String]) async throws {
        try await addSample()
        let report = try await rejections(by: by)
        #expect(Set(lines(report)) == Set(expected))
        #expect(report.rows.map(\.rejected).sorted(by: >) == [3, 1, 1])
    }

    @Test("a filter limits both rows and totals")
    func filters() async throws {
        try await addSample()
        let sandbox = try await rejections(by: [], [ReportFilter(.environment, ["sandbox"])])
        #expect(lines(sandbox) == ["com.example.shop sandbox – | apns 418 Teapot | 1/1"])
        #expect(sandbox.totals[.attempted] == 1)
        let spring = try await rejections(by: ["day"], [ReportFilter(.campaign, ["spring"])])
        #expect(lines(spring) == ["2026-03-01 | apns 410 Unregistered | 3/4"])
    }

    @Test("rejections are not printed if their responses do not add up to the funnel's figure")
    func contradiction() async throws {
        try await addSample()
        try await database.execute(
            "UPDATE landfall.counter_live SET response_id = 0 WHERE response_id <> 0 AND notifications = 3")
        await #expect(throws: ReportError.self) { _ = try await rejections() }
        await #expect(throws: ReportError.self) { _ = try await rejections(by: ["day"]) }
    }

    @Test("latencies have quantiles by period and campaign from counters, by traits from the notifications")
    func latencies() async throws {
        try await addSample()
        let report = try await latency(by: ["day"])
        #expect(report.totals.arrival.count == 3)
        #expect(report.totals.click.count == 1)
        #expect(report.rows.map(\.stages.arrival.count) == [2, 1])
        let click = try #require(report.rows[0].stages.click.quantile(0.5))
        #expect(abs(click.milliseconds - 119_000) <= 5_900)
        #expect(report.rows[1].stages.click.quantile(0.5) == nil)

        let versions = try await latency(by: ["app_version"])
        #expect(versions.totals == report.totals)
        #expect(versions.rows.map { $0.key.parts[0].value } == ["7.0.0", "7.1.0"])
        let filtered = try await latency(by: [], [ReportFilter(.appVersion, ["7.1.0"])])
        #expect(filtered.totals == versions.rows[1].stages)
        let spring = try await latency(by: ["campaign", "day"], [ReportFilter(.campaign, ["spring"])])
        #expect(spring.rows.map(\.stages.arrival.count) == [1])
    }

    @Test("latencies are not printed if there are more of them than arrivals")
    func tooManyTimes() async throws {
        try await addSample()
        try await database.execute("UPDATE landfall.latency_rollup SET notifications = notifications + 9")
        await #expect(throws: ReportError.self) { _ = try await latency() }
    }

    @Test("reports are empty if nothing is recorded")
    func nothing() async throws {
        try await database.execute("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        #expect(try await rejections().isEmpty)
        #expect(try await latency(by: ["day"]).isEmpty)
    }
}
