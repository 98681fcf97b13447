public import PostgresClient

/// Rows that are kept under the token key: one kind of all that has to be moved to another.
public protocol SealedRows: Sendable {
    /// As people and the database know the kind, such as `tokens`.
    var name: String { get }
    /// What there is to move.
    func count(on connection: PostgresConnection) throws -> SealedRowCounts
    /// Moves the next rows behind a place, the first ones behind the start. Within a transaction that notes the place.
    ///
    /// - Returns: what was moved, and up to where; nil at the end.
    func moveNext(
        after place: SealedRowPlace, from old: TokenVault, to new: TokenVault,
        on connection: PostgresConnection
    ) throws -> (counts: SealedRowCounts, place: SealedRowPlace)?
}

/// Where a walk through sealed rows stands: an app, where the rows are in the order of apps, and a row.
public struct SealedRowPlace: Hashable, Sendable {
    public let appID: Int64
    public let rowID: Int64

    public static let start = SealedRowPlace(appID: 0, rowID: 0)

    public init(appID: Int64, rowID: Int64) {
        self.appID = appID
        self.rowID = rowID
    }

    /// As the database remembers it: two big-endian numbers.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        appID.encode(into: &bytes)
        rowID.encode(into: &bytes)
        return bytes
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let numbers = bytes.withUnsafeBytes { bytes in
            (
                Int64(postgresBytes: .init(rebasing: bytes[..<8])),
                Int64(postgresBytes: .init(rebasing: bytes[8...]))
            )
        }
        guard let appID = numbers.0, let rowID = numbers.1 else { return nil }
        self.init(appID: appID, rowID: rowID)
    }
}

/// Rows that are kept under the token key.
public struct SealedRowCounts: Hashable, Sendable {
    public var rows: Int64
    /// Without a value (swept or erased): only their history is moved, the value will not be known when it comes back.
    public var tombstones: Int64
    /// Their value could not be read under the key either: it is given up.
    public var unreadable: Int64

    public init(rows: Int64 = 0, tombstones: Int64 = 0, unreadable: Int64 = 0) {
        self.rows = rows
        self.tombstones = tombstones
        self.unreadable = unreadable
    }

    public static func += (sum: inout SealedRowCounts, counts: SealedRowCounts) {
        sum.rows += counts.rows
        sum.tombstones += counts.tombstones
        sum.unreadable += counts.unreadable
    }
}
