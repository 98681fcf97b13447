internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import TokenLifecycle

struct WrittenDeliveries {
    var changed: [ChangedDelivery] = []
    /// The actual keys of rows that are not under their records' keys, by the records' keys.
    var moved: [DeliveryKey: DeliveryKey] = [:]
    /// The former content of notifications' rows that moved, by the rows' new keys.
    var repointed: [DeliveryKey: TakenDelivery] = [:]
}

extension [DeliveryRecord] {
    /// Writes the rows, and their changes to the counters. `taken` are rows that were removed because these
    /// records say the same under other keys. Only within a transaction, which has to be rolled back if this
    /// throws ``MissingDay`` or `PostgresError`.
    ///
    /// A second statement writes records whose rows are elsewhere. Every transaction thus locks rows under
    /// their ids' own times first, including pointers, then the pointers' rows, each in key order.
    @discardableResult
    func write(
        inPlaceOf taken: [TakenDelivery], shard: Int16, on connection: PostgresConnection
    ) throws -> WrittenDeliveries {
        let written = try upsert(on: connection)
        var counters = Changes<StateKey>()
        var latencies = Changes<LatencyKey>()
        var versions = Changes<VersionKey>()
        func add(_ row: ChangedDelivery) {
            counters.add(row)
            latencies.add(row)
            versions.add(row)
        }
        for row in taken { add(row.removal) }
        for row in written.repointed.values { add(row.removal) }
        for row in written.changed { add(row) }
        if let statement = counters.statement(shard: shard) { connection.enqueue(statement) }
        if let statement = latencies.statement(shard: shard) { connection.enqueue(statement) }
        if let statement = versions.statement(shard: shard) { connection.enqueue(statement) }
        return written
    }

    private func upsert(on connection: PostgresConnection) throws -> WrittenDeliveries {
        var written = WrittenDeliveries()
        let found = try upsertInPlace(on: connection)
        // By index: an iterator would copy each record, with all its strings.
        let wished = Set(indices.lazy.filter { self[$0].movesAway }.map { self[$0].key })
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
        if !written.moved.isEmpty { try redirect(found, &written, on: connection) }
        return written
    }

    func upsertInPlace(on connection: PostgresConnection) throws -> [ChangedDelivery] {
        try ChangedDelivery.all(in: connection.query(.Ingestion.recordDeliveries, [parameter]))
    }

    /// The parameter of `record_deliveries`. For records that move away, only the request for a pointer.
    var parameter: PostgresParameter {
        .rows(PostgresRowType(DeliveryFact.rowType), self) { record, row in
            let record = record.movesAway ? record.pointer : record
            row.append(record.key.notificationID)
            row.append(record.key.appID)
            row.append(record.key.sentAt)
            row.append(record.campaignID)
            row.append(record.segmentID)
            row.append(record.tokenID)
            row.append(record.installationID)
            row.append(record.responseID)
            row.append(record.stateIfNew.rawValue)
            row.append(record.arrivedAfter)
            row.append(record.presentedAfter)
            row.append(record.clickedAfter)
            row.append(record.dismissedAfter)
            row.append(record.responseRank)
            row.append(record.sentAfter)
            row.append(record.timedByReceipt.isEmpty ? nil : record.timedByReceipt.rawValue)
            row.append(record.arrivedVersion)
            row.append(array: record.reporters.stored)
            row.append(record.arrivedKit)
            row.append(record.witness?.rawValue)
            row.append(record.facts)
        }
    }
}

extension PostgresRowEncoder {
    /// Most records have no facts.
    private static let noFacts = PostgresRowEncoder { $0.append(each: DeliveryFacts()) }

    fileprivate mutating func append(_ facts: DeliveryFacts) {
        if facts.isEmpty { append(fields: Self.noFacts) } else { append(each: facts) }
    }

    private mutating func append(each facts: DeliveryFacts) {
        for fact in DeliveryFact.all {
            switch fact.access {
            case .text(let read, _): append(read(facts))
            case .flag(let read, _): append(read(facts))
            case .instant(let read, _): append(read(facts))
            }
        }
    }
}

/// A row that a batch changed, as `record_deliveries` returns it.
struct ChangedDelivery {
    let key: DeliveryKey
    let campaignID: Int64?
    let segmentID: Int64?
    let tokenID: Int64?
    /// The holder of the token when the response was recorded.
    let installationID: Int64?
    let previousState: DeliveryState
    let state: DeliveryState
    /// The response by which it counts as rejected; `nil` if it is not rejected.
    let responseID: Int64?
    let previousResponseID: Int64?
    /// The buckets of the times; `nil` if unknown. A time never changes once the bits of its event are set.
    let arrivalBucket: Int16?
    let clickBucket: Int16?
    /// Milliseconds from the key's date to when the push was sent; in a pointer, to the row's date.
    let sentAfter: Int64?
    /// The kinds of device event whose times are those of receipt.
    let timedByReceipt: DeliveryState
    /// The app version that the arrival named. Like the times, it never changes once its bit is set.
    let arrivedVersion: String?
    /// Where the previous device bits came from, if this change told which installation the push went to.
    let previousReporters: Reporters?

    /// The previous state with the device bits that count according to what is known now.
    var attributedPreviousState: DeliveryState {
        guard !previousState.isEmpty, let previousReporters, let installationID else { return previousState }
        return previousReporters.attributed(previousState, to: installationID)
    }

    /// The time the push was sent, as far as responses stated it.
    var pushedAt: Instant { key.sentAt + Span(milliseconds: sentAfter ?? 0) }

    var destination: DeliveryKey? {
        state.isEmpty && sentAfter != nil ? DeliveryKey(key.notification, sentAt: pushedAt) : nil
    }

    /// Reads the rows of `record_deliveries`, sorted by key.
    static func all(in rows: PostgresRows) throws -> [ChangedDelivery] {
        let ids: [UUID] = try rows.column(0)
        let appIDs: [Int64] = try rows.column(1)
        let sentAt: [Instant] = try rows.column(2)
        let campaignIDs: [Int64?] = try rows.optionalColumn(3)
        let segmentIDs: [Int64?] = try rows.optionalColumn(4)
        let tokenIDs: [Int64?] = try rows.optionalColumn(5)
        let previousStates: [Int32] = try rows.column(6)
        let states: [Int32] = try rows.column(7)
        let installationIDs: [Int64?] = try rows.optionalColumn(8)
        let responseIDs: [Int64?] = try rows.optionalColumn(9)
        let previousResponseIDs: [Int64?] = try rows.optionalColumn(10)
        let arrivalBuckets: [Int16?] = try rows.optionalColumn(11)
        let clickBuckets: [Int16?] = try rows.optionalColumn(12)
        let sentAfter: [Int64?] = try rows.optionalColumn(13)
        let timedByReceipt: [Int32?] = try rows.optionalColumn(14)
        let arrivedVersions: [String?] = try rows.optionalColumn(15)
        let reporters: [[Int64]?] = try rows.optionalArrayColumn(16)
        var changed: [ChangedDelivery] = []
        changed.reserveCapacity(rows.count)
        var isSorted = true
        for index in 0..<rows.count {
            let key = DeliveryKey(notificationID: ids[index], appID: appIDs[index], sentAt: sentAt[index])
            if let last = changed.last, key < last.key { isSorted = false }
            let previousState = DeliveryState(rawValue: previousStates[index])
            changed.append(
                ChangedDelivery(
                    key: key, campaignID: campaignIDs[index], segmentID: segmentIDs[index],
                    tokenID: tokenIDs[index], installationID: installationIDs[index],
                    previousState: previousState, state: DeliveryState(rawValue: states[index]),
                    responseID: responseIDs[index], previousResponseID: previousResponseIDs[index],
                    arrivalBucket: arrivalBuckets[index], clickBucket: clickBuckets[index],
                    sentAfter: sentAfter[index],
                    timedByReceipt: DeliveryState(rawValue: timedByReceipt[index] ?? 0),
                    arrivedVersion: arrivedVersions[index],
                    previousReporters: reporters[index].map { Reporters(stored: $0, of: previousState) }))
        }
        // A single server returns rows in the parameter's order; a coordinator of several (Citus) may not.
        if !isSorted { changed.sort { $0.key < $1.key } }
        return changed
    }
}
