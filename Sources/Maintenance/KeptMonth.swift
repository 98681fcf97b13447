public import PostgresClient
internal import SQLFiles

/// The notifications of a UTC month that the database keeps.
public struct KeptMonth: Hashable, Sendable {
    /// `2026-03`
    public let month: String
    /// The days of the month that are kept.
    public let days: Int64
    /// The room that they take, with their indexes.
    public let bytes: Int64

    /// All months, the latest first, and the size of the whole database in bytes.
    ///
    /// - Throws: `PostgresError`.
    public static func all(on connection: PostgresConnection) throws(PostgresError)
        -> (months: [KeptMonth], databaseBytes: Int64)
    {
        var months: [KeptMonth] = []
        var databaseBytes: Int64 = 0
        for row in try connection.query(.Maintenance.keptMonths) {
            databaseBytes = try row.get("database_bytes")
            months.append(
                KeptMonth(month: try row.get("month"), days: try row.get("days"), bytes: try row.get("bytes"))
            )
        }
        return (months, databaseBytes)
    }
}
