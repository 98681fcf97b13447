public import DeliveryModel
internal import Foundation
public import PostgresClient
internal import Vault

/// Keeps rejected items: sealed, with the reason, each item once, and never more than the limits allow.
///
/// The items are counted in the same transaction (`landfall.quarantine_count`), under the writer's own shard,
/// so that neither a flood of garbage nor a client that repeats itself makes other writers wait
/// (docs/decisions/0012).
public struct Quarantine: Sendable {
    let vault: TokenVault
    var limits = QuarantineLimits()

    /// Keeps the rejected items, and counts them in the writer's shard. Must run within the transaction that
    /// counts them as received, before it touches anything else; if it throws, that has to be rolled back.
    public func keep(
        _ items: [BatchItem], now: Instant, shard: Int16, on connection: PostgresConnection
    ) throws {
        let entries = entries(of: items)
        guard !entries.isEmpty else { return }
        try connection.query(
            .Quarantine.keepItems,
            [
                .array(entries.map(\.key.appID)), .array(entries.map(\.rejection.code.rawValue)),
                .array(entries.map(\.rejection.detail)), .array(entries.map(\.item.poster.rawValue)),
                .array(entries.map(\.key.digest)), .array(try entries.map(sealed)),
                .array(entries.map(\.posted)), .value(now), .value(shard),
                .nullableArray(entries.map(\.item.preset)),
            ])
        try QuarantineEviction(limits: limits, shard: shard)
            .makeRoom(in: Set(entries.map(\.item.flow)), on: connection)
    }

    private func sealed(_ entry: Entry) throws -> [UInt8] {
        try vault.seal(entry.item.text.prefix(FieldLimits.item), for: .quarantine(ofApp: entry.key.appID))
    }

    private struct Key: Hashable, Comparable {
        let appID: Int64
        let digest: [UInt8]

        static func < (left: Self, right: Self) -> Bool {
            left.appID != right.appID
                ? left.appID < right.appID : left.digest.lexicographicallyPrecedes(right.digest)
        }
    }

    private struct Entry {
        let key: Key
        let item: BatchItem
        let rejection: ItemRejection
        /// How often the item occurs in the batch.
        var posted: Int64 = 1
    }

    /// One entry per distinct item, sorted, so that all writers lock them in the same order.
    private func entries(of items: [BatchItem]) -> [Entry] {
        var entries: [Key: Entry] = [:]
        for item in items {
            guard case .failure(let rejection) = item.content else { continue }
            let digest = vault.digest(
                of: item.text, preset: item.preset, poster: item.poster.rawValue,
                code: rejection.code.rawValue)
            let key = Key(appID: item.appID, digest: digest)
            entries[key, default: Entry(key: key, item: item, rejection: rejection, posted: 0)].posted += 1
        }
        return entries.values.sorted { $0.key < $1.key }
    }
}

extension TokenVault {
    /// The digest that recognizes an item posted again.
    func digest(of text: some DataProtocol, preset: String?, poster: String, code: String) -> [UInt8] {
        let form = preset.map { " of \($0)" } ?? ""
        return fingerprint(of: text, purpose: "quarantine \(poster) \(code)\(form)")
    }
}

/// How much is kept of the items that an app's servers posted and that were rejected, and as much of those
/// that its devices posted. Beyond that, the oldest of the same share are removed and counted as evicted.
/// Anyone can have a device key, so its items must not be able to evict those of servers.
public struct QuarantineLimits: Hashable, Sendable {
    public var items: Int64
    /// Bytes of sealed text: per item, 28 bytes more than was posted.
    public var bytes: Int64

    public init(items: Int64 = 50_000, bytes: Int64 = 128 << 20) {
        (self.items, self.bytes) = (items, bytes)
    }
}
