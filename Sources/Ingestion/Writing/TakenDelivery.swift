internal import DeliveryModel
internal import Foundation
internal import PostgresClient

/// A row that was removed, to be counted again under another key.
struct TakenDelivery: Sendable {
    /// Its content, under the key it had.
    let record: DeliveryRecord
    /// The buckets in which its times were counted; `nil` if a time is unknown.
    private let arrivalBucket: Int16?
    private let clickBucket: Int16?

    /// The rows that `take_deliveries` removes, or the former content of new pointers (`read_repointed`).
    static func rows(
        of statement: SQLFile, under keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [TakenDelivery] {
        guard let parameters = keys.sorted().parameters else { return [] }
        return try connection.query(statement, parameters).map(TakenDelivery.init)
    }

    /// The change that takes the row off the counters under its former key.
    var removal: ChangedDelivery {
        ChangedDelivery(
            key: record.key, campaignID: record.campaignID, segmentID: record.segmentID,
            tokenID: record.tokenID, installationID: record.installationID, previousState: record.state,
            state: [], responseID: nil, previousResponseID: record.state.isRejected ? record.responseID : nil,
            arrivalBucket: arrivalBucket, clickBucket: clickBucket, sentAfter: record.sentAfter,
            timedByReceipt: record.timedByReceipt, arrivedVersion: record.arrivedVersion,
            previousReporters: nil)
    }

    /// The state with the device bits that count now that the row is counted under another key.
    func state(in changed: ChangedDelivery) -> DeliveryState {
        changed.installationID.map { record.reporters.attributed(record.state, to: $0) } ?? record.state
    }

    private init(_ row: PostgresRow) throws {
        record = try DeliveryRecord(row)
        arrivalBucket = try row.getOptional("arrival_bucket")
        clickBucket = try row.getOptional("click_bucket")
    }
}

extension DeliveryRecord {
    /// Reads a row of `take_deliveries` or `read_repointed`.
    fileprivate init(_ row: PostgresRow) throws {
        let key = DeliveryKey(
            notificationID: try row.get("notification_id"), appID: try row.get("app_id"),
            sentAt: try row.get("sent_at"))
        self.init(key: key, isDatedByID: false)
        state = DeliveryState(rawValue: try row.get("state"))
        reporters = Reporters(stored: try row.getArray("reporters"), of: state)
        sentAfter = try row.getOptional("sent_after_ms")
        campaignID = try row.getOptional("campaign_id")
        segmentID = try row.getOptional("segment_id")
        tokenID = try row.getOptional("token_id")
        installationID = try row.getOptional("installation_id")
        responseID = try row.getOptional("response_id")
        responseRank = try row.get("response_rank")
        arrivedAfter = try row.getOptional("arrived_after_ms")
        presentedAfter = try row.getOptional("presented_after_ms")
        clickedAfter = try row.getOptional("clicked_after_ms")
        dismissedAfter = try row.getOptional("dismissed_after_ms")
        timedByReceipt = DeliveryState(rawValue: try row.getOptional("timed_by_receipt") ?? 0)
        arrivedVersion = try row.getOptional("arrived_version")
        arrivedKit = try row.getOptional("arrived_kit")
        witness = try row.getOptional("witness", as: String.self).flatMap(DeviceReport.Evidence.init)
        for fact in DeliveryFact.all {
            switch fact.access {
            case .text(_, let write): write(&facts, try row.getOptional(fact.column))
            case .flag(_, let write): write(&facts, try row.getOptional(fact.column))
            case .instant(_, let write): write(&facts, try row.getOptional(fact.column))
            }
        }
    }
}

// MARK: - Records under another key

extension DeliveryRecord {
    /// A record that requests the pointer to this one's row.
    var pointer: DeliveryRecord {
        var pointer = DeliveryRecord(key: key, isDatedByID: isDatedByID)
        pointer.sentAfter = sentAfter
        return pointer
    }

    /// The record under the key of its row, once that is known.
    func moved(to key: DeliveryKey) -> DeliveryRecord {
        let span = (self.key.sentAt - key.sentAt).milliseconds
        var moved = self
        moved.key = key
        moved.sentAfter = nil
        for kind in DeviceReport.Kind.allCases { moved[kind] = self[kind].map { $0 + span } }
        return moved
    }

    /// Adds an earlier row about the same notification that was under another key. That row's times are kept.
    mutating func add(earlier row: DeliveryRecord) {
        if campaignID == nil, row.campaignID != nil { stateSendTime(row.pushedAt) }
        for kind in DeviceReport.Kind.allCases
        where row.state.contains(kind.bit) && !settled.contains(kind.bit) { forgetTime(of: kind) }
        state = state.joined(with: row.state)
        reporters.add(row.reporters)
        if row.state.contains(.arrived), !settled.contains(.arrived) {
            arrivedVersion = row.arrivedVersion
            arrivedKit = row.arrivedKit
        }
        if row.state.contains(.witnessed), !settled.contains(.witnessed) { witness = row.witness }
        settled.formUnion(row.state)
        campaignID = campaignID ?? row.campaignID
        segmentID = segmentID ?? row.segmentID
        tokenID = tokenID ?? row.tokenID
        installationID = installationID ?? row.installationID
        facts.add(row.facts, replacing: [.device, .click, .arrival], counts: row.responseRank < responseRank)
        if row.responseRank < responseRank {
            responseID = row.responseID
            responseRank = row.responseRank
        }
        for kind in DeviceReport.Kind.allCases {
            guard let elapsed = row[kind] else { continue }
            noteTime(
                of: kind, at: row.key.sentAt + Span(milliseconds: elapsed),
                isByReceipt: row.timedByReceipt.contains(kind.bit))
        }
    }

    private mutating func forgetTime(of kind: DeviceReport.Kind) {
        self[kind] = nil
        timedByReceipt.remove(kind.bit)
    }
}

/// A pointer to a day without a partition, usually because retention dropped it but not yet the pointer's.
struct MissingDay: Error {
    /// The keys of the rows that all pointers lead to, by the pointers' keys.
    let destinations: [DeliveryKey: DeliveryKey]
    let underlying: PostgresError
}

extension [DeliveryRecord] {
    /// Writes the records whose rows turned out to be elsewhere, with what was in rows that are pointers now.
    /// `found` are the rows under the records' own keys.
    func redirect(
        _ found: [ChangedDelivery], _ written: inout WrittenDeliveries, on connection: PostgresConnection
    ) throws {
        let repointed = found.filter { $0.destination != nil && !$0.previousState.isEmpty }.map(\.key)
        for row in try TakenDelivery.rows(of: .Ingestion.readRepointed, under: repointed, on: connection) {
            if let key = written.moved[row.record.key] { written.repointed[key] = row }
        }
        let redirected = compactMap { record -> DeliveryRecord? in
            guard let key = written.moved[record.key] else { return nil }
            var record = record.moved(to: key)
            if let row = written.repointed[key] { record.add(earlier: row.record) }
            return record
        }
        do {
            written.changed += try redirected.sorted { $0.key < $1.key }.upsertInPlace(on: connection)
        } catch PostgresError.noPartition(let statement) {
            throw MissingDay(
                destinations: written.moved, underlying: PostgresError.noPartition(statement: statement))
        }
        written.changed.sort { $0.key < $1.key }
    }
}
