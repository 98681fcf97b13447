public import PostgresClient

/// The notifications of a UTC month that the database keeps.
public struct KeptMonth: Hashable, Decodable, Sendable {
    /// `2026-03`
    public let month: String
    /// The days of the month that are kept.
    public let days: Int64
    /// The room that they take, with their indexes.
    public let bytes: Int64

    /// All months, the latest first.
    ///
    /// - Throws: `PostgresError`.
    public static func all(on connection: PostgresConnection) throws(PostgresError) -> [KeptMonth] {
        guard connection.citus == nil else {
            return try connection.query(.Administration.citusKeptMonths).decode()
        }
        return try connection.query(.Maintenance.keptMonths).decode()
    }

    /// The size of the whole database in bytes; on Citus, that of the node's database.
    ///
    /// - Throws: `PostgresError`.
    public static func databaseBytes(on connection: PostgresConnection) throws(PostgresError) -> Int64 {
        try connection.query(.Maintenance.databaseSize).single().get("bytes")
    }
}
