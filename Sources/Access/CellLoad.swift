package import PostgresClient

/// How much is in a cell.
package struct CellLoad: Decodable, Sendable {
    package let apps: Int64
    /// Sent in the last 7 days.
    package let notifications: Int64
    /// Of tables and indexes on the disk.
    package let bytes: Int64
    /// The highest share of its ids that a sequence has used; `nil` while there is only one cell.
    package let idShare: Double?

    package static func read(on connection: PostgresConnection) throws(PostgresError) -> CellLoad {
        try connection.query(.Access.cellLoad).single().decode()
    }
}
