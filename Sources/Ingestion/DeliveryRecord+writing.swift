internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

extension [DeliveryRecord] {
    /// Writes the rows, and to the counters what that changes. Only within a transaction.
    ///
    /// - Parameters:
    ///   - taken: rows that went because these say the same under other keys.
    ///   - slot: the writer's share of the counters.
    /// - Returns: the rows that changed, sorted by key.
    @discardableResult
    func write(
        inPlaceOf taken: [TakenDelivery], slot: Int16, on connection: PostgresConnection
    ) throws -> [ChangedDelivery] {
        let changed = try ChangedDelivery.all(in: connection.query(.Ingestion.recordDeliveries, [parameter]))
        var rollups = RollupChanges()
        for row in taken { rollups.add(row.removal) }
        for row in changed { rollups.add(row) }
        for statement in rollups.statements(slot: slot) { connection.enqueue(statement) }
        return changed
    }
}
