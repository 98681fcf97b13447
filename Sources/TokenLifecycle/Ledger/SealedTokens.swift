internal import DeliveryModel
public import PostgresClient
public import Vault

/// The device tokens of all apps, as rows to reseal with another token key.
public struct SealedTokens: SealedRows {
    public let name = "tokens"

    private static let batchSize: Int64 = 1_000

    public init() {}

    public func count(on connection: PostgresConnection) throws -> SealedRowCounts {
        let row = try connection.query(.Tokens.countSealed).single()
        return SealedRowCounts(rows: try row.get("token_count"), tombstones: try row.get("tombstone_count"))
    }

    public func moveNext(
        after place: SealedRowPlace, from old: TokenVault, to new: TokenVault,
        on connection: PostgresConnection
    ) throws -> (counts: SealedRowCounts, place: SealedRowPlace)? {
        let rows = try connection.query(.Tokens.nextSealed, [.value(place.rowID), .value(Self.batchSize)])
        let tokenIDs: [Int64] = try rows.column("token_id")
        guard let last = tokenIDs.last else { return nil }
        var counts = SealedRowCounts(rows: Int64(rows.count))
        var fingerprints: [[UInt8]] = []
        var sealedValues: [[UInt8]?] = []
        var sealedKeys: [[UInt8]?] = []
        for row in rows {
            let appID: Int64 = try row.get("app_id")
            let place = SealedPlace.token(ofApp: appID)
            let sealed: [UInt8]? = try row.getOptional("sealed_value")
            let value = sealed.flatMap { try? old.open($0, from: place) }
            sealedValues.append(try value.map { try new.seal($0, for: place) })
            let hasKeys = try row.getOptional("sealed_keys", as: [UInt8].self) != nil
            let keys = try? old.webPushKeys(of: row, ofApp: appID)
            if sealed == nil {
                counts.tombstones += 1
            } else if value == nil || hasKeys && keys == nil {
                counts.unreadable += 1
            }
            sealedKeys.append(try keys.map { try new.seal($0, ofApp: appID) })
            // If the value is gone, the new fingerprint is derived from the old one, and no lookup finds it.
            fingerprints.append(
                try value.map { new.fingerprint(of: String(decoding: $0, as: UTF8.self)) }
                    ?? new.fingerprint(of: row.get("fingerprint", as: [UInt8].self), purpose: "tombstone"))
        }
        try connection.query(
            .Tokens.resealTokens,
            [
                .array(tokenIDs), .array(fingerprints), .nullableArray(sealedValues),
                .nullableArray(sealedKeys),
            ])
        return (counts, SealedRowPlace(appID: 0, rowID: last))
    }
}
