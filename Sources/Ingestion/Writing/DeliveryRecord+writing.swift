internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

struct WrittenDeliveries {
    /// The rows that changed, sorted by key.
    fileprivate(set) var changed: [ChangedDelivery] = []
    /// The actual keys of rows that are not under their records' keys, by the records' keys.
    fileprivate(set) var moved: [DeliveryKey: DeliveryKey] = [:]
    /// The former content of notifications' rows that moved, by the rows' new keys.
    fileprivate(set) var repointed: [DeliveryKey: TakenDelivery] = [:]
}

/// A pointer leads to a day that has no partition, usually because retention has dropped that day but not yet the pointer's.
struct MissingDay: Error {
    /// The keys of the rows that all pointers lead to, by the pointers' keys.
    let destinations: [DeliveryKey: DeliveryKey]
    let underlying: PostgresError
}

extension [DeliveryRecord] {
    /// Writes the rows, and their changes to the counters. Only within a transaction.
    ///
    /// Records whose rows are elsewhere are written by a second statement. Every transaction thus locks rows under their ids' own
    /// times first, including pointers, then the rows that pointers lead to, each in the order of their keys.
    ///
    /// - Parameters:
    ///   - taken: rows that were removed because these records say the same under other keys.
    ///   - shard: the writer's share of the counters.
    /// - Throws: ``MissingDay``, `PostgresError`; the transaction then has to be rolled back.
    @discardableResult
    func write(
        inPlaceOf taken: [TakenDelivery], shard: Int16, on connection: PostgresConnection
    ) throws -> WrittenDeliveries {
        let written = try upsert(on: connection)
        var counters = CounterChanges()
        var latencies = LatencyChanges()
        var versions = VersionChanges()
        func add(_ row: ChangedDelivery) {
            counters.add(row)
            latencies.add(row)
            versions.add(row)
        }
        for row in taken { add(row.removal) }
        for row in written.repointed.values { add(row.removal) }
        for row in written.changed { add(row) }
        let statements = [
            counters.statement(shard: shard), latencies.statement(shard: shard),
            versions.statement(shard: shard),
        ].compactMap(\.self)
        for statement in statements { connection.enqueue(statement) }
        return written
    }

    private func upsert(on connection: PostgresConnection) throws -> WrittenDeliveries {
        var written = WrittenDeliveries()
        let found = try ChangedDelivery.all(in: connection.query(.Ingestion.recordDeliveries, [parameter]))
        let wished = Set(lazy.filter(\.movesAway).map(\.key))
        for row in found {
            if let destination = row.destination {
                written.moved[row.key] = destination
            } else if wished.contains(row.key) {
                // A response was recorded here before, so its date is kept.
                written.moved[row.key] = row.key
            } else {
                written.changed.append(row)
            }
        }
        guard !written.moved.isEmpty else { return written }
        let repointed = found.filter { $0.destination != nil && !$0.previousState.isEmpty }.map(\.key)
        for row in try TakenDelivery.repointed(repointed, on: connection) {
            if let key = written.moved[row.key] { written.repointed[key] = row }
        }
        let redirected = compactMap { record -> DeliveryRecord? in
            guard let key = written.moved[record.key] else { return nil }
            var record = record.moved(to: key)
            if let row = written.repointed[key] { record.add(row) }
            return record
        }
        do {
            written.changed += try redirected.sorted { $0.key < $1.key }.upsertInPlace(on: connection)
        } catch PostgresError.noPartition(let statement) {
            throw MissingDay(
                destinations: written.moved, underlying: PostgresError.noPartition(statement: statement))
        }
        written.changed.sort { $0.key < $1.key }
        return written
    }

    private func upsertInPlace(on connection: PostgresConnection) throws -> [ChangedDelivery] {
        try ChangedDelivery.all(in: connection.query(.Ingestion.recordDeliveries, [parameter]))
    }
}

extension [DeliveryRecord] {
    /// The parameter of `record_deliveries.sql`. For records that move away, only the request for a pointer.
    var parameter: PostgresParameter {
        .rows(PostgresRowType("landfall.delivery_event"), self) { record, row in
            let record = record.movesAway ? record.pointer : record
            row.append(record.key.notificationID)
            row.append(record.key.appID)
            row.append(record.key.sentAt)
            row.append(record.campaignID)
            row.append(record.segmentID)
            row.append(record.tokenID)
            row.append(record.installationID)
            row.append(record.responseID)
            row.append(record.state.rawValue)
            row.append(record.arrivedAfter)
            row.append(record.presentedAfter)
            row.append(record.clickedAfter)
            row.append(record.dismissedAfter)
            row.append(record.responseRank)
            row.append(record.rejectedAt)
            row.append(record.action)
            row.append(record.collapseID)
            row.append(record.sentAfter)
            row.append(record.timedByReceipt.isEmpty ? nil : record.timedByReceipt.rawValue)
            row.append(record.arrivedVersion)
        }
    }
}
