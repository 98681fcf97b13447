package import DeliveryModel
package import PostgresClient

/// 2^38 consecutive ids, which only one cell gives to new rows.
///
/// Cell 0 hands the ranges out in ascending order, so a cell can always get one above the ids of an app that
/// moves to it: within an app, later rows have higher ids.
package struct IDRange: Hashable, Sendable {
    package let number: Int64

    /// The range that contains an id of anything but an app.
    package init(of id: Int64) { number = id >> 38 }
    private init(number: Int64) { self.number = number }

    /// The range from which new rows of this connection's cell get their ids.
    package static func current(on connection: PostgresConnection) throws(PostgresError) -> IDRange {
        IDRange(number: try connection.query(.Access.currentRange).single().get("number"))
    }

    /// Hands out the next range, which ``take(as:on:)`` puts to use. A repeated call returns the same one.
    ///
    /// - Parameters:
    ///   - range: a range that the cell must leave for a higher one; `nil` for its first range.
    ///   - front: a connection to cell 0, not in a transaction.
    /// - Throws: ``AccessError/noRangeLeft``, `PostgresError`.
    package static func next(
        for cell: CellNumber, above range: IDRange? = nil, from front: PostgresConnection
    ) throws -> IDRange {
        do {
            return try front.retrying {
                try front.transaction {
                    try front.execute(script: .Access.lockDirectory)
                    // Its own ids end where those of others begin.
                    try handOut(to: .front, above: nil, on: front).take(as: .front, on: front)
                    return try handOut(to: cell, above: range, on: front)
                }
            }
        } catch let error as PostgresError where error.sqlState == .checkViolation {
            throw AccessError.noRangeLeft
        }
    }

    private static func handOut(
        to cell: CellNumber, above range: IDRange?, on front: PostgresConnection
    ) throws(PostgresError) -> IDRange {
        let row = try front.query(
            .Access.handOutRange, [.value(Int64(cell.number)), .value(range?.number ?? -1)]
        ).single()
        return IDRange(number: try row.get("number"))
    }

    /// Gives new rows of the cell ids of this range, and new apps ids of the cell. Changes nothing if the
    /// cell has this range or a higher one. Needs the schema's owner; may end in a deadlock with writers.
    package func take(as cell: CellNumber, on connection: PostgresConnection) throws(PostgresError) {
        try connection.query(.Access.takeIds, [.value(Int64(cell.number)), .value(number)])
    }

    /// Ensures that new rows of a cell get higher ids than any in this range of another cell, before an app
    /// with such ids moves there. May be repeated.
    package static func raise(
        _ cell: CellNumber, above range: IDRange, on connection: PostgresConnection,
        from front: PostgresConnection
    ) throws {
        guard try current(on: connection).number < range.number else { return }
        let higher = try next(for: cell, above: range, from: front)
        try connection.retrying { try higher.take(as: cell, on: connection) }
    }
}
