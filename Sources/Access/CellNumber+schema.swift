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

    /// Makes a migrated schema without apps this cell's, and gives it its first ids. May be repeated, also if
    /// a restored cell 0 has forgotten the cell, but not with another schema, even if it is not known where
    /// the first one is. A cell of another installation is known by its token key.
    ///
    /// - Parameter front: a connection to cell 0.
    /// - Throws: ``AccessError``, `PostgresError`.
    package func claim(_ connection: PostgresConnection, from front: PostgresConnection) throws {
        guard self != .front else { return try check(connection) }
        let keys = try [front, connection].map { cell in
            try cell.query(.Administration.readSetting, [.value("token_key_check")])
                .first?.get("value", as: [UInt8].self)
        }
        guard keys.contains(nil) || keys[0] == keys[1] else { throw AccessError.otherInstallation }
        // It gives cell 0 a range, too, so that its schema is not fresh.
        _ = try IDRange.next(for: .front, from: front)
        try checkIsFree(connection)
        let random = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let claim: [UInt8] = try connection.query(
            .Administration.claimSetting, [.value("cell_claim"), .value(random)]
        ).single().get("value")
        let range = try IDRange.next(for: self, claim: claim, from: front)
        // A program that took a lock of the whole cell before this has cell 0's. It knows no key of this
        // cell's apps, so it does nothing here that the lock would have to prevent.
        try connection.retrying {
            try connection.transaction {
                try checkIsFree(connection)
                try connection.query(
                    .Administration.claimSetting,
                    [.value(PostgresConnection.cellSetting), .value([UInt8(number)])])
                try check(connection)
                try range.take(as: self, on: connection)
            }
        }
    }

    /// - Throws: ``AccessError`` unless the schema is this cell's, or may become it.
    private func checkIsFree(_ connection: PostgresConnection) throws {
        guard try Self.stored(on: connection) == .front else { return try check(connection) }
        let isFresh: Bool = try connection.query(.Access.isFresh).single().get("is_fresh")
        guard isFresh else { throw AccessError.schemaInUse }
    }
}
