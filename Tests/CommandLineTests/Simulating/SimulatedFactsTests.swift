import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import Simulation
import TestDatabase
import Testing
import Vault

/// A simulated day's rejections and latencies, against a recount of what was posted.
@Suite(.database) struct SimulatedFactsTests {
    private static let traffic = SimulatedDay.traffic
    private static let end = Instant(millisecondsSinceEpoch: SimulatedDay.start) + .days(3)
    private static let batchSize = 200

    private let shop = App(appID: firstApp, slug: "shop")

    /// A notification, as its events describe it.
    private struct Notification {
        var sentAt: Instant?
        var rank: Int16 = .max
        var response = ""
        var times: [DeviceReport.Kind: Instant?] = [:]
    }

    private func events() throws -> [Event] {
        let validator = EventValidator(appID: 1, poster: .server, now: Self.end)
        return try Self.traffic.events.map { try validator.decode($0[...]).get() }
    }

    private func batches(_ events: [Event]) -> [ArraySlice<Event>] {
        stride(from: 0, to: events.count, by: Self.batchSize).map {
            events[$0..<min($0 + Self.batchSize, events.count)]
        }
    }

    private func post(_ events: [Event], _ taxonomy: RejectionTaxonomy) async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let writer = DeliveryWriter(
            pool: TestDatabase.current.pool, vault: TokenVault(.random()), taxonomy: taxonomy,
            logger: Logger(label: "test"))
        for batch in batches(events) {
            _ = try await writer.write(
                batch.map { BatchItem(appID: firstApp, text: [], poster: .server, content: .success($0)) },
                now: Self.end)
        }
    }

    /// The most final response counts, and the first among equals; for times, the earliest in the batch that
    /// first has that kind of event.
    private func recount(_ events: [Event], _ taxonomy: RejectionTaxonomy) -> [Notification] {
        var notifications: [UUID: Notification] = [:]
        for batch in batches(events) {
            let before = notifications
            for event in batch {
                var notification = notifications[event.name.id] ?? Notification()
                switch event.content {
                case .response(let response):
                    notification.sentAt = notification.sentAt ?? event.sentAt ?? event.idTime
                    let rank = taxonomy.outcome(
                        provider: response.provider, status: response.status, reason: response.reason
                    ).outcomeClass.rank
                    if rank < notification.rank {
                        notification.rank = rank
                        notification.response = "\(response.status) \(response.reason ?? "")"
                    }
                case .device(let report):
                    guard before[event.name.id]?.times.keys.contains(report.kind) != true else { break }
                    let times = [notification.times[report.kind] ?? nil, report.occurredAt]
                    notification.times[report.kind] = .some(times.compactMap(\.self).min())
                case .recall: break
                }
                notifications[event.name.id] = notification
            }
        }
        return notifications.values.filter { $0.rank != .max }
    }

    private func ask<Result: Report>(
        by: [Reports.Dimension] = [],
        _ run: @escaping @Sendable (ReportQuery, PostgresConnection, Instant) throws -> Result
    ) async throws -> Result {
        let query = try ReportQuery(
            app: shop,
            window: ReportWindow(from: Instant(millisecondsSinceEpoch: SimulatedDay.start), to: Self.end),
            timeZone: .utc, by: by)
        return try await TestDatabase.current.pool.withConnection { try run(query, $0, Self.end) }
    }

    @Test("rejections by response and class, and latencies of arrival and click, are those that were posted")
    func truth() async throws {
        let database = TestDatabase.current
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let events = try events()
        try await post(events, taxonomy)
        let notifications = recount(events, taxonomy)

        let rejections = try await ask { try RejectionsReport.run($0, on: $1, now: $2) }
        var responses: [String: Int64] = [:]
        for row in rejections.rows {
            let words = "\(row.response.status) \(row.response.reason ?? "")"
            responses[words, default: 0] += row.rejected
        }
        let rejected = notifications.filter { $0.rank > 0 }
        #expect(rejected.count > 20)
        #expect(responses == rejected.reduce(into: [:]) { $0[$1.response, default: 0] += 1 })
        let truth = Self.traffic.truth.totals
        #expect(rejections.totals[.attempted] == Int64(truth.attempted))
        for (rejection, count) in truth.rejected {
            let found = rejections.rows.filter { $0.response.rejectionClass.rawValue == rejection.rawValue }
            #expect(found.reduce(0) { $0 + $1.rejected } == Int64(count), "\(rejection)")
        }

        let latency = try await ask { try LatencyReport.run($0, on: $1, now: $2) }
        let arrived = notifications.compactMap { notification -> (Span, Notification)? in
            guard notification.rank == 0, let sentAt = notification.sentAt,
                let at = notification.times[.arrival] ?? nil
            else { return nil }
            return (at - sentAt, notification)
        }
        #expect(latency.counts[.arrived] == Int64(truth.arrived))
        expect(latency.totals.arrival, of: arrived.map(\.0))
        let clicks = arrived.compactMap { _, notification -> Span? in
            guard let clickedAt = notification.times[.click] ?? nil,
                let arrivedAt = notification.times[.arrival] ?? nil
            else { return nil }
            return clickedAt - arrivedAt
        }
        expect(latency.totals.click, of: clicks)

        // Counters and rows agree: a single provider has everything.
        let byProvider = try await ask(by: [.provider]) { try LatencyReport.run($0, on: $1, now: $2) }
        #expect(byProvider.totals == latency.totals)
        let byHour = try await ask(by: [.hour, .campaign]) { try LatencyReport.run($0, on: $1, now: $2) }
        #expect(byHour.rows.count > 20)
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differences == [])
    }

    private func expect(_ histogram: LatencyHistogram, of spans: [Span]) {
        let exact = spans.map(\.milliseconds).sorted()
        #expect(exact.count > 20)
        #expect(histogram.count == Int64(exact.count))
        for quantile in LatencyQuantile.allCases {
            let rank = Int((quantile.share * Double(exact.count)).rounded(.up))
            let expected = Double(max(0, exact[rank - 1]))
            let told = Double(histogram.quantile(quantile.share)?.milliseconds ?? -1)
            #expect(abs(told - expected) <= 0.05 * expected + 1, "\(quantile)")
        }
    }
}
