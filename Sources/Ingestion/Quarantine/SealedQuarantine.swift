internal import DeliveryModel
public import PostgresClient
public import Vault

/// The quarantines of all apps, as rows to reseal with another token key.
public struct SealedQuarantine: SealedRows {
    public let name = "quarantine"

    private static let batchSize: Int64 = 500

    private struct Item {
        let appID: Int64
        let itemID: Int64
        let digest: [UInt8]?
        let sealedText: [UInt8]
    }

    public init() {}

    public func count(on connection: PostgresConnection) throws -> SealedRowCounts {
        SealedRowCounts(rows: try connection.query(.Quarantine.countSealed).single().get("item_count"))
    }

    public func moveNext(
        after place: SealedRowPlace, from old: TokenVault, to new: TokenVault,
        on connection: PostgresConnection
    ) throws -> (counts: SealedRowCounts, place: SealedRowPlace)? {
        let rows = try connection.query(
            .Quarantine.nextSealed, [.value(place.appID), .value(place.rowID), .value(Self.batchSize)])
        guard rows.count > 0 else { return nil }
        let items = try rows.map { try resealed($0, from: old, to: new) }
        try connection.query(
            .Quarantine.resealItems,
            [
                .array(items.map(\.item.appID)), .array(items.map(\.item.itemID)),
                .nullableArray(items.map(\.item.digest)), .array(items.map(\.item.sealedText)),
            ])
        let counts = SealedRowCounts(
            rows: Int64(items.count), unreadable: Int64(items.count { !$0.isReadable }))
        guard let last = items.last?.item else { return nil }
        return (counts, SealedRowPlace(appID: last.appID, rowID: last.itemID))
    }

    /// Leaves an item that cannot be read as it is. Of an item that was too long, only the beginning is
    /// stored, but the digest covers the whole item. If it is posted again, it is kept a second time.
    private func resealed(
        _ row: PostgresRow, from old: TokenVault, to new: TokenVault
    ) throws -> (item: Item, isReadable: Bool) {
        let sealed: [UInt8] = try row.get("sealed_text")
        let appID: Int64 = try row.get("app_id")
        let place = SealedPlace.quarantine(ofApp: appID)
        let text = try? old.open(sealed, from: place)
        var digest: [UInt8]?
        if let text, try row.get("has_digest"), text.count < FieldLimits.item {
            digest = new.digest(
                of: text, preset: try row.getOptional("preset"), poster: try row.get("poster"),
                code: try row.get("code"))
        }
        let item = Item(
            appID: appID, itemID: try row.get("item_id"), digest: digest,
            sealedText: try text.map { try new.seal($0, for: place) } ?? sealed)
        return (item, text != nil)
    }
}
