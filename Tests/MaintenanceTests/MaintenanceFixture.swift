import DeliveryModel
import Foundation
import Ingestion
import Logging
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Vault

/// A database, a writer and items for tests of maintenance.
struct MaintenanceFixture {
    let database = TestDatabase.current
    let key = TokenKey.random()
    let now = Instant.now

    func writer(shard: Int16 = 0) async throws -> DeliveryWriter {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        return DeliveryWriter(
            pool: database.pool, vault: TokenVault(key), taxonomy: taxonomy, firstShard: shard,
            logger: Logger(label: "test"))
    }

    static func response(_ sentAt: Instant, id: UUID = UUID(), status: Int = 200) -> BatchItem {
        var response = ProviderResponse(provider: "apns", status: status)
        response.campaign = "spring"
        return item(Event(notificationID: id, sentAt: sentAt, content: .response(response)))
    }

    static let address = TokenAddress(
        provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert, value: "aa11")

    /// A response about a message to the token.
    func response(_ sentAt: Instant, message: UUID) -> BatchItem {
        var response = ProviderResponse(provider: "apns", status: 200)
        response.topic = Self.address.topic
        response.target = .token(Self.address)
        return Self.item(
            Event(.message(message, deviceID: nil), sentAt: sentAt, content: .response(response)))
    }

    static func arrival(_ sentAt: Instant?, id: UUID = UUID(), at occurredAt: Instant? = nil) -> BatchItem {
        var report = DeviceReport(kind: .arrival)
        report.occurredAt = occurredAt
        return item(Event(notificationID: id, sentAt: sentAt, content: .device(report)))
    }

    private static func item(_ event: Event) -> BatchItem {
        BatchItem(appID: firstApp, text: [], poster: .server, content: .success(event))
    }

    @discardableResult
    func maintain(
        retention: Span = .days(5), isStopped: @escaping @Sendable () -> Bool = { false }
    ) async throws -> MaintenanceReport {
        try await database.pool.withConnection { [now] connection in
            try Maintenance(MaintenanceSettings(retention: retention))
                .run(now: now, on: connection, isStopped: isStopped)
        }
    }

    func verify() async throws -> Verification {
        try await database.pool.withConnection { try Verification.run(on: $0) }
    }

    /// The days that have a partition, as `YYYYMMDD`.
    func partitions() async throws -> [String] {
        try await database.query(
            """
            SELECT substr(relname, 10) FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
             WHERE inhparent = 'landfall.delivery'::regclass ORDER BY relname
            """
        ) { try $0.get(0, as: String.self) }
    }

    static func name(_ day: Instant) -> String {
        String(day.rfc3339.prefix(10).replacing("-", with: ""))
    }
}
