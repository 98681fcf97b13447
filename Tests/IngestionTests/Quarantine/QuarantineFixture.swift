import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import Reports
import TestDatabase
import Vault

/// A key, writers, items and counts for tests of the quarantine.
struct QuarantineFixture {
    let database = TestDatabase.current
    let vault = TokenVault(.random())

    func writer(_ limits: QuarantineLimits = QuarantineLimits(), shard: Int16 = 0) async throws
        -> DeliveryWriter
    {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        return DeliveryWriter(
            pool: database.pool, vault: vault, taxonomy: taxonomy, limits: limits, firstShard: shard,
            logger: Logger(label: "test"))
    }

    func recorder(shard: Int16 = 0) async throws -> BatchRecorder {
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        return BatchRecorder(
            vault: vault, taxonomy: taxonomy, firstShard: shard, logger: Logger(label: "test"))
    }

    /// One invalid item for each number.
    static func garbage(_ numbers: some Sequence<Int>, app: Int64 = firstApp) -> [BatchItem] {
        numbers.map { rejected("garbage \($0)", .invalidJSON, app: app) }
    }

    static func rejected(
        _ text: String, _ code: ItemRejection.Code, poster: EventValidator.Poster = .server,
        app: Int64 = firstApp
    ) -> BatchItem {
        BatchItem(
            appID: app, text: Array(text.utf8)[...], poster: poster,
            content: .failure(ItemRejection(code, "no event")))
    }

    /// A posted item, read under a server's or a device's rules.
    static func posted(
        _ text: String, poster: EventValidator.Poster = .server, retention: Span = .standardRetention
    ) -> BatchItem {
        let bytes = Array(text.utf8)[...]
        let validator = EventValidator(appID: firstApp, poster: poster, now: .now, retention: retention)
        return BatchItem(appID: firstApp, text: bytes, poster: poster, content: validator.decode(bytes))
    }

    static func response(sentAt: Instant, id: String = UUID().uuidString) -> String {
        """
        {"type":"response","notification_id":"\(id)","sent_at":"\(sentAt.rfc3339)","provider":"apns","status":200,"channel":"news"}
        """
    }

    func books() async throws -> QuarantineBooks {
        try await database.pool.withConnection { try QuarantineStock(appID: firstApp, on: $0).books() }
    }

    func itemCount(app: Int64 = firstApp) async throws -> Int64 {
        try await database.count(
            "SELECT count(*) FROM landfall.quarantined_item WHERE app_id = $1", [.value(app)])
    }

    /// The texts in quarantine, the oldest first.
    func texts() async throws -> [String] {
        try await database.pool.withConnection { [vault] connection in
            try QuarantineStock(appID: firstApp, on: connection)
                .newest(QuarantineFilter(), limit: 1_000, withText: true)
                .reversed().map { String(decoding: try $0.text(vault), as: UTF8.self) }
        }
    }

    func differences() async throws -> [Verification.Difference] {
        try await database.pool.withConnection { try Verification.run(on: $0) }.differences
    }
}
