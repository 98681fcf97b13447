public import PostgresClient
public import Vault

/// The signing keys of all apps, as rows to reseal with another token key. Unreadable ones stay as they are.
public struct SealedSigningKeys: SealedRows {
    public let name = "signing_keys"

    private static let batchSize: Int64 = 500

    public init() {}

    public func count(on connection: PostgresConnection) throws -> SealedRowCounts {
        SealedRowCounts(rows: try connection.query(.Access.countSealedKeys).single().get("key_count"))
    }

    public func moveNext(
        after place: SealedRowPlace, from old: TokenVault, to new: TokenVault,
        on connection: PostgresConnection
    ) throws -> (counts: SealedRowCounts, place: SealedRowPlace)? {
        let rows = try connection.query(
            .Access.nextSealedKeys, [.value(place.rowID), .value(Self.batchSize)])
        let keyIDs: [Int64] = try rows.column("api_key_id")
        guard let last = keyIDs.last else { return nil }
        var counts = SealedRowCounts(rows: Int64(rows.count))
        let resealed: [[UInt8]] = try rows.map { row in
            let place = SealedPlace.signingKey(ofApp: try row.get("app_id"))
            let sealed: [UInt8] = try row.get("sealed_key")
            guard let text = try? old.open(sealed, from: place) else {
                counts.unreadable += 1
                return sealed
            }
            return try new.seal(text, for: place)
        }
        try connection.query(.Access.resealKeys, [.array(keyIDs), .array(resealed)])
        return (counts, SealedRowPlace(appID: 0, rowID: last))
    }
}
