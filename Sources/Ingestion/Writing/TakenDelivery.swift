internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

/// A row that was removed, to be counted again under another key.
struct TakenDelivery: Sendable {
    /// The key it was under.
    let key: DeliveryKey
    let state: DeliveryState
    let occurredAt: [DeviceReport.Kind: Instant]
    let action: String?
    let campaignID: Int64?
    let segmentID: Int64?
    let tokenID: Int64?
    let installationID: Int64?
    let responseID: Int64?
    let responseRank: Int16
    let rejectedAt: Instant?
    let collapseID: String?
    /// The buckets in which its times were counted; `nil` if a time is unknown.
    let arrivalBucket: Int16?
    let clickBucket: Int16?
    /// Milliseconds from the key's date to when the push was sent.
    private let sentAfter: Int64?
    /// The kinds of device event whose times are those of receipt.
    let timedByReceipt: DeliveryState
    /// The version of the app that its arrival named.
    let arrivedVersion: String?
    let arrivedKit: String?
    let witness: DeviceReport.Evidence?
    let extensionOutcome: DeviceReport.ExtensionOutcome?
    let category: String?
    let appState: DeviceReport.AppState?
    let hasText: Bool?
    /// Where its device bits came from.
    let reporters: Reporters

    /// The time the push was sent, as far as a response stated it.
    var statedSentAt: Instant { key.sentAt + Span(milliseconds: sentAfter ?? 0) }

    /// Removes the rows under these keys and returns them.
    static func take(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [TakenDelivery] {
        try query(.Ingestion.takeDeliveries, keys, on: connection)
    }

    /// The former content of the rows under these keys that this transaction turned into pointers.
    static func repointed(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [TakenDelivery] {
        try query(.Ingestion.readRepointed, keys, on: connection)
    }

    private static func query(
        _ statement: SQLFile, _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [TakenDelivery] {
        let keys = keys.sorted()
        let dates = keys.map(\.sentAt)
        guard let earliest = dates.min(), let latest = dates.max() else { return [] }
        return try connection.query(
            statement,
            [
                .array(keys.map(\.notificationID)), .array(keys.map(\.appID)), .array(dates),
                .value(earliest), .value(latest),
            ]
        ).map(TakenDelivery.init)
    }

    /// The change that takes the row off the counters under its former key.
    var removal: ChangedDelivery {
        ChangedDelivery(
            key: key, campaignID: campaignID, segmentID: segmentID, tokenID: tokenID,
            installationID: installationID,
            previousState: state,
            state: [],
            responseID: nil, previousResponseID: state.isRejected ? responseID : nil,
            arrivalBucket: arrivalBucket,
            clickBucket: clickBucket, sentAfter: sentAfter, timedByReceipt: timedByReceipt,
            arrivedVersion: arrivedVersion, previousReporters: nil)
    }
}

extension TakenDelivery {
    private init(_ row: PostgresRow) throws {
        let sentAt = try row.get(2, as: Instant.self)
        key = DeliveryKey(notificationID: try row.get(0), appID: try row.get(1), sentAt: sentAt)
        let state = DeliveryState(rawValue: try row.get(3))
        self.state = state
        var occurredAt: [DeviceReport.Kind: Instant] = [:]
        for (offset, kind) in [DeviceReport.Kind.arrival, .presentation, .click, .dismissal].enumerated() {
            guard let elapsed = try row.getOptional(4 + offset, as: Int64.self) else { continue }
            occurredAt[kind] = sentAt + Span(milliseconds: elapsed)
        }
        self.occurredAt = occurredAt
        action = try row.getOptional(8)
        campaignID = try row.getOptional(9)
        segmentID = try row.getOptional(10)
        tokenID = try row.getOptional(11)
        installationID = try row.getOptional(12)
        responseID = try row.getOptional(13)
        responseRank = try row.get(14)
        rejectedAt = try row.getOptional(15)
        collapseID = try row.getOptional(16)
        arrivalBucket = try row.getOptional(17)
        clickBucket = try row.getOptional(18)
        sentAfter = try row.getOptional(19)
        timedByReceipt = DeliveryState(rawValue: try row.getOptional(20) ?? 0)
        arrivedVersion = try row.getOptional(21)
        reporters = Reporters(stored: try row.getArray(22), of: state)
        category = try row.getOptional(23)
        appState = try row.getOptional(24, as: String.self).flatMap(DeviceReport.AppState.init)
        hasText = try row.getOptional(25)
        arrivedKit = try row.getOptional(26)
        witness = try row.getOptional(27, as: String.self).flatMap(DeviceReport.Evidence.init)
        extensionOutcome = try row.getOptional(28, as: String.self)
            .flatMap(DeviceReport.ExtensionOutcome.init)
    }
}
