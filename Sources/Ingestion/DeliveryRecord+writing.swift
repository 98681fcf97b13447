internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// What came of writing records.
struct WrittenDeliveries {
    /// The rows that changed, sorted by key.
    let changed: [ChangedDelivery]
    /// To be remembered after the commit, see ``ReportingVersions``.
    let reporting: Set<ReportingVersions.Segment>
}

extension [DeliveryRecord] {
    /// Writes the rows, and to the counters what that changes. Only within a transaction.
    ///
    /// - Parameters:
    ///   - taken: rows that went because these say the same under other keys.
    ///   - slot: the writer's share of the counters.
    @discardableResult
    func write(
        inPlaceOf taken: [TakenDelivery], slot: Int16, noting versions: ReportingVersions,
        on connection: PostgresConnection
    ) throws -> WrittenDeliveries {
        let changed = try ChangedDelivery.all(in: connection.query(.Ingestion.recordDeliveries, [parameter]))
        var rollups = RollupChanges()
        var rejections = RejectionChanges()
        var latencies = LatencyChanges()
        func add(_ row: ChangedDelivery) {
            rollups.add(row)
            rejections.add(row)
            latencies.add(row)
        }
        for row in taken { add(row.removal) }
        for row in changed { add(row) }
        let statements =
            rollups.statements(slot: slot)
            + [rejections.statement(slot: slot), latencies.statement(slot: slot)].compactMap(\.self)
        for statement in statements { connection.enqueue(statement) }
        return WrittenDeliveries(
            changed: changed, reporting: versions.note(rollups.reportingSegments, on: connection))
    }
}
