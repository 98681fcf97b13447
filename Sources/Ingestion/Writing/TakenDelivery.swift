internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

/// A row that was removed, to be counted again under another key.
struct TakenDelivery: Sendable {
    /// Its content, under the key it had.
    let record: DeliveryRecord
    /// The buckets in which its times were counted; `nil` if a time is unknown.
    private let arrivalBucket: Int16?
    private let clickBucket: Int16?

    /// Removes the rows under these keys and returns them.
    static func take(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [TakenDelivery] {
        guard let parameters = keys.sorted().parameters else { return [] }
        return try connection.query(.Ingestion.takeDeliveries, parameters).map(TakenDelivery.init)
    }

    /// The former content of the rows under these keys that this transaction turned into pointers.
    static func repointed(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [TakenDelivery] {
        guard let parameters = keys.sorted().parameters else { return [] }
        return try connection.query(.Ingestion.readRepointed, parameters).map(TakenDelivery.init)
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

    private init(_ row: PostgresRow) throws {
        record = try DeliveryRecord(row)
        arrivalBucket = try row.getOptional("arrival_bucket")
        clickBucket = try row.getOptional("click_bucket")
    }
}

extension [DeliveryKey] {
    /// The parameters of statements that find rows by their keys; `nil` if there are no keys.
    var parameters: [PostgresParameter]? {
        let dates = map(\.sentAt)
        guard let earliest = dates.min(), let latest = dates.max() else { return nil }
        return [
            .array(map(\.notificationID)), .array(map(\.appID)), .array(dates), .value(earliest),
            .value(latest),
        ]
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
