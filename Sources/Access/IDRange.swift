package import DeliveryModel
package import PostgresClient

/// 2^38 consecutive ids, which only one cell gives to new rows.
///
/// Cell 0 hands the ranges out in ascending order, so a cell can always get one above the ids of an app that
/// moves to it: within an app, later rows have higher ids.
package struct IDRange: Hashable, Sendable {
    package let number: Int64

    /// The range from which new rows of this connection's cell get their ids.
    package static func current(on connection: PostgresConnection) throws(PostgresError) -> IDRange {
        IDRange(number: try connection.query(.Access.currentRange).single().get("number"))
    }

    /// Hands out the next range, which ``take(as:on:)`` puts to use. A repeated call returns the same one.
    ///
    /// - Parameters:
    ///   - range: a range that the cell must leave for a higher one; `nil` for its first range.
    ///   - claim: identifies the schema that becomes the cell.
    ///   - front: a connection to cell 0, not in a transaction.
    /// - Throws: ``AccessError/cellTaken(_:)`` if a schema with another claim has received the range,
    ///   ``AccessError/noRangeLeft``, `PostgresError`.
    package static func next(
        for cell: CellNumber, above range: IDRange? = nil, claim: [UInt8]? = nil,
        from front: PostgresConnection
    ) throws -> IDRange {
        do {
            return try front.retrying {
                try front.transaction {
                    try front.execute(script: .Access.lockDirectory)
                    // Its own ids end where those of others begin.
                    try handOut(to: .front, on: front).take(as: .front, on: front)
                    return try handOut(to: cell, above: range, claim: claim, on: front)
                }
            }
        } catch let error as PostgresError where error.sqlState == .checkViolation {
            throw AccessError.noRangeLeft
        }
    }

    private static func handOut(
        to cell: CellNumber, above range: IDRange? = nil, claim: [UInt8]? = nil,
        on front: PostgresConnection
    ) throws -> IDRange {
        let row = try front.query(
            .Access.handOutRange,
            [.value(Int64(cell.number)), .value(range?.number ?? -1), .value(claim)]
        ).single()
        let holder = try row.getOptional("claim", as: [UInt8].self)
        guard claim == nil || holder == nil || holder == claim else {
            throw AccessError.cellTaken(cell.number)
        }
        return IDRange(number: try row.get("number"))
    }

    /// Gives new rows of the cell ids of this range, and new apps ids of the cell. Changes nothing if the
    /// cell has this range or a higher one. Needs the schema's owner; must be repeated if it conflicts with
    /// writers (`retrying`).
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

    /// Ensures that cell 0, if it was restored, does not hand out this range again: a cell already has it.
    ///
    /// - Throws: ``AccessError/rangeTaken(cell:by:)`` if another cell has it, too, `PostgresError`.
    package func record(as cell: CellNumber, in front: PostgresConnection) throws {
        let row =
            try front.query(.Access.findRange, [.value(number)]).first
            ?? front.query(.Access.recordRange, [.value(number), .value(Int64(cell.number))]).single()
        let owner = Int(try row.get("cell", as: Int32.self))
        guard owner == cell.number else { throw AccessError.rangeTaken(cell: cell.number, by: owner) }
    }

    /// Gives one of several cells the next range if it has used half of the ids of anything but apps, or if
    /// another cell has the same range. Needs the schema's owner.
    ///
    /// - Parameter isRestored: whether to give it the next one in any case: since the backup, the cell may
    ///   have given ids to an app that is in another cell now.
    package static func renew(
        _ cell: CellNumber, on connection: PostgresConnection, from front: PostgresConnection,
        isRestored: Bool
    ) throws {
        let isOwn = (try? current(on: connection).record(as: cell, in: front)) != nil
        let isHalfUsed = try connection.query(.Access.idUse).contains {
            try $0.get("share", as: Double.self) >= 0.5 && $0.get("name", as: String.self) != "app_app_id_seq"
        }
        guard isRestored || isHalfUsed || !isOwn else { return }
        let last = try front.query(.Access.lastRange, [.value(Int64(cell.number))]).single()
        let range = try next(for: cell, above: IDRange(number: last.get("number")), from: front)
        try connection.retrying { try range.take(as: cell, on: connection) }
    }
}
