public import PostgresClient

/// Rows of one kind that are sealed with the token key and can be moved to another.
public protocol SealedRows: Sendable {
    /// The name of the kind for people and the database, such as `tokens`.
    var name: String { get }
    func count(on connection: PostgresConnection) throws -> SealedRowCounts
    /// Moves the next rows after a place, starting with the first, in the transaction that records the place.
    ///
    /// - Returns: the numbers of rows moved, and the last row's place; `nil` at the end.
    func moveNext(
        after place: SealedRowPlace, from old: TokenVault, to new: TokenVault,
        on connection: PostgresConnection
    ) throws -> (counts: SealedRowCounts, place: SealedRowPlace)?
}

/// A position in sealed rows: an app, if the rows are ordered by app, and a row.
public struct SealedRowPlace: Hashable, Sendable {
    public let appID: Int64
    public let rowID: Int64

    public static let start = SealedRowPlace(appID: 0, rowID: 0)

    public init(appID: Int64, rowID: Int64) {
        self.appID = appID
        self.rowID = rowID
    }

    /// The stored form: two big-endian numbers.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        appID.encode(into: &bytes)
        rowID.encode(into: &bytes)
        return bytes
    }

    /// - Throws: `PostgresError` if these are not a place's bytes: from the start, rows would move twice.
    init(bytes: [UInt8]) throws(PostgresError) {
        let numbers = bytes.withUnsafeBytes { bytes in
            (
                Int64(postgresBytes: .init(rebasing: bytes.prefix(8))),
                Int64(postgresBytes: .init(rebasing: bytes.dropFirst(8)))
            )
        }
        guard let appID = numbers.0, let rowID = numbers.1 else {
            throw .unexpectedResult(
                statement: "token_key_place", detail: "\(bytes.count) bytes instead of 16")
        }
        self.init(appID: appID, rowID: rowID)
    }
}

/// Numbers of rows that are sealed with the token key.
public struct SealedRowCounts: Hashable, Sendable {
    public var rows: Int64
    /// Rows without a value (swept or erased). Only the history moves; a returning value is not recognized.
    public var tombstones: Int64
    /// Rows of which something sealed cannot be read with the old key either; it is discarded or left as it
    /// is.
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
