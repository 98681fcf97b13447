import DeliveryModel
import Doctor
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import Simulation
import TestDatabase
import Testing
import Vault

/// The losses of a simulated day and their estimate, against the simulated truth.
@Suite(.database) struct SimulatedCountersTests {
    private static let traffic = SimulatedDay.traffic
    private static let start = Instant(millisecondsSinceEpoch: SimulatedDay.start)
    private static let end = start + .days(3)

    /// Posts the events in an order that has nothing to do with time.
    private func post() async throws {
        let database = TestDatabase.current
        try await database.execute("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: database.pool, vault: TokenVault(.random()), taxonomy: taxonomy,
            logger: Logger(label: "test"))
        let validator = EventValidator(appID: 1, poster: .server, now: Self.end)
        var order = SeededRandom(seed: 3)
        let items = try Self.traffic.events.shuffled(using: &order).map {
            BatchItem(
                appID: firstApp, text: [], poster: .server,
                content: .success(try validator.decode($0[...]).get()))
        }
        for first in stride(from: 0, to: items.count, by: 250) {
            _ = try await writer.write(Array(items[first..<min(first + 250, items.count)]), now: Self.end)
        }
        // No device registered, so all are of one unknown version, which none of their arrivals credits.
        try await database.execute("UPDATE landfall.segment SET platform = 'ios', app_version = '7.1.0'")
        try await database.execute(
            """
            INSERT INTO landfall.version_rollup (
                app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
            ) VALUES (\(firstApp), $1, 'ios', '7.1.0', -1, 100, 90, 0)
            """, [.value(Self.start)])
    }

    private func ask<Result: Report>(
        by: [Reports.Dimension] = [], _ filters: [ReportFilter] = [],
        _ run: @escaping @Sendable (ReportQuery, PostgresConnection, Instant) throws -> Result
    ) async throws -> Result {
        let query = try ReportQuery(
            app: App(appID: firstApp, slug: "shop"), window: ReportWindow(from: Self.start, to: Self.end),
            timeZone: .utc, by: by, filters: filters)
        return try await TestDatabase.current.pool.withConnection { try run(query, $0, Self.end) }
    }

    @Test("every count is exact, every loss named, and the estimate's interval contains the true arrivals")
    func truth() async throws {
        try await post()
        let truth = Self.traffic.truth
        func sum(_ count: KeyPath<SimulatedVersionTruth, Int>) -> Int64 {
            Int64(truth.versions.reduce(0) { $0 + $1[keyPath: count] })
        }

        let funnel = try await ask { try FunnelReport.run($0, on: $1, now: $2) }
        #expect(funnel.totals[.reportable] == sum(\.reportable))
        #expect(funnel.totals[.arrivedReportable] == sum(\.arrived))
        #expect(funnel.totals[.respondedReportable] == sum(\.responded))
        #expect(funnel.totals[.confirmedUnreported] == sum(\.respondedUnreported))
        let estimate = try #require(funnel.context.arrivals?.totals)
        #expect(estimate.coverage.value == 1)
        let really = Double(sum(\.shown)) / Double(sum(\.reportable))
        #expect(try #require(estimate.estimated).interval.contains(really))
        #expect(try #require(estimate.arrivalCapable.value) < really)

        let loss = try await ask { try LossReport.run($0, on: $1, now: $2) }
        #expect(loss.totals.counts == funnel.totals)
        #expect(loss.totals[.recalled] == Int64(truth.totals.recalled))
        #expect(loss.totals[.notCapable] == 0)
        #expect(loss.totals[.unexplained] ?? 0 > 0)
        for campaign in truth.campaigns {
            let one = try await ask([ReportFilter(.campaign, [campaign.key ?? ""])]) {
                try LossReport.run($0, on: $1, now: $2)
            }
            #expect(one.totals.counts[.accepted] == Int64(campaign.counts.accepted))
            #expect(one.totals[.recalled] == Int64(campaign.counts.recalled))
            #expect(one.totals[.superseded] != nil)
        }
        let hours = try await ask(by: [.hour, .provider]) { try LossReport.run($0, on: $1, now: $2) }
        #expect(hours.totals.losses == loss.totals.losses)

        let health = try await ask { try ExtensionReport.run($0, on: $1, now: $2) }
        #expect(health.rows.map(\.health) == [.reports])
        #expect(health.totals[.arrivedReportable] == sum(\.arrived))
    }
}
