package import DeliveryModel
package import PostgresClient

extension CellNumber {
    /// The number of the cell whose schema the connection uses.
    package static func stored(on connection: PostgresConnection) throws(PostgresError) -> CellNumber {
        try CellNumber(Int(connection.storedCell())) ?? .front
    }

    /// - Throws: ``AccessError/otherCell(is:named:)`` if the schema is another cell's, `PostgresError`.
    package func check(_ connection: PostgresConnection) throws {
        let stored = try Self.stored(on: connection)
        guard stored == self else { throw AccessError.otherCell(is: stored.number, named: number) }
    }

    /// Makes a migrated schema without apps this cell's, and gives it its first ids. May be repeated.
    ///
    /// - Parameter front: a connection to cell 0.
    /// - Throws: ``AccessError``, `PostgresError`.
    package func claim(_ connection: PostgresConnection, from front: PostgresConnection) throws {
        guard self != .front else { return try check(connection) }
        let range = try IDRange.next(for: self, from: front)
        try connection.transaction {
            if try connection.query(.Access.isFresh).single().get("is_fresh", as: Bool.self) {
                try connection.query(
                    .Administration.claimSetting,
                    [.value(PostgresConnection.cellSetting), .value([UInt8(number)])])
            }
            try check(connection)
            try range.take(as: self, on: connection)
        }
    }
}
