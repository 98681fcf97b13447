import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import TestDatabase
import TokenLifecycle
import Vault

/// Pushes of one campaign, and the counters that reports about them read.
struct FactStory {
    let vault = TokenVault(.random())
    let database = TestDatabase.current
    /// The time of sending of all pushes.
    var sentAt = (Instant.now - .hours(2)).startOfQuarter + .minutes(1)

    func writer(shard: Int16 = 0) async throws -> DeliveryWriter {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        return DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, firstShard: shard,
            logger: Logger(label: "test"))
    }

    /// Posts each event by itself.
    func post(_ events: [Event]) async throws {
        let writer = try await writer()
        for event in events { _ = try await writer.write([Self.item(event)]) }
    }

    static func item(_ event: Event) -> BatchItem {
        BatchItem(appID: firstApp, text: [], poster: .server, content: .success(event))
    }

    func response(_ id: UUID, _ status: Int, _ reason: String? = nil, to token: String? = nil) -> Event {
        var response = ProviderResponse(provider: "apns", status: status)
        response.reason = reason
        response.campaign = "spring"
        response.topic = "com.example.shop"
        response.target = token.map { .token(Self.address($0)) }
        return Event(notificationID: id, sentAt: sentAt, content: .response(response))
    }

    static func address(_ value: String) -> TokenAddress {
        TokenAddress(
            provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert, value: value)
    }

    /// - Parameter after: the time since the push was sent; `nil` if the device does not state it.
    func report(
        _ kind: DeviceReport.Kind, _ id: UUID, after: Span?, isDated: Bool = true, appVersion: String? = nil
    ) -> Event {
        var report = DeviceReport(kind: kind)
        report.appVersion = appVersion
        report.occurredAt = after.map { sentAt + $0 }
        return Event(notificationID: id, sentAt: isDated ? sentAt : nil, content: .device(report))
    }

    /// - Parameter instant: the time of registration; if `nil`, a day before the pushes were sent.
    func register(
        _ value: String, appVersion: String, permission: String = "authorized", at instant: Instant? = nil,
        device: UUID = UUID()
    ) async throws {
        let registeredAt = instant ?? sentAt - .days(1)
        var registration = Registration(deviceID: device, registeredAt: registeredAt)
        registration.platform = "ios"
        registration.appVersion = appVersion
        registration.permission = permission
        registration.tokens = [Self.address(value)]
        let posted = registration
        try await database.pool.withTransaction { [vault] connection in
            _ = try DeviceRegistry(vault: vault).register(
                posted, appID: firstApp, now: registeredAt, on: connection)
        }
    }

    /// The counts by response, such as `429 TooManyRequests`, without zeros.
    func rejections() async throws -> [String: Int64] {
        let rows = try await database.query(
            """
            SELECT concat_ws(' ', status, nullif(reason, '')), sum(notifications)::bigint
              FROM landfall.counter_by_quarter JOIN landfall.provider_response USING (response_id)
             GROUP BY 1 HAVING sum(notifications) <> 0
            """
        ) { (try $0.get(0, as: String.self), try $0.get(1, as: Int64.self)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// The counts by the bucket's lower bound in milliseconds, such as `arrival 1051`, without zeros.
    func latencies() async throws -> [String: Int64] {
        let rows = try await database.query(
            """
            SELECT stage || ' ' || from_ms, sum(notifications)::bigint
              FROM landfall.latency_rollup JOIN landfall.latency_bucket USING (bucket)
             GROUP BY 1 HAVING sum(notifications) <> 0
            """
        ) { (try $0.get(0, as: String.self), try $0.get(1, as: Int64.self)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// The versions that report, such as `ios 7.1.0`.
    func versions() async throws -> [String] {
        try await database.query(
            "SELECT platform || ' ' || app_version FROM landfall.reporting_version ORDER BY 1"
        ) { try $0.get(0, as: String.self) }
    }

    func verify() async throws -> Verification {
        try await database.pool.withConnection { try Verification.run(on: $0) }
    }
}

/// Returns all orders of some elements.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard let first = elements.first else { return [[]] }
    return permutations(Array(elements.dropFirst())).flatMap { rest in
        (0...rest.count).map { position in rest[..<position] + [first] + rest[position...] }
    }
}
