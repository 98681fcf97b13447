internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

/// A row that was taken away, to be counted anew under another key.
struct TakenDelivery: Sendable {
    /// Where it lay.
    let key: DeliveryKey
    let state: DeliveryState
    let occurredAt: [DeviceReport.Kind: Instant]
    let action: String?
    let campaignID: Int64?
    let segmentID: Int64?
    let tokenID: Int64?
    let installationID: Int64?
    let answerID: Int64?
    let answerRank: Int16
    let refusedAt: Instant?
    let collapseID: String?
    /// In which buckets its times counted; nil where a time is not known.
    let arrivalBucket: Int16?
    let clickBucket: Int16?

    /// Takes the rows that lie under these keys.
    static func take(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [TakenDelivery] {
        let keys = keys.sorted()
        let dates = keys.map(\.sentAt)
        guard let earliest = dates.min(), let latest = dates.max() else { return [] }
        return try connection.query(
            .Ingestion.takeDeliveries,
            [
                .array(keys.map(\.notificationID)), .array(keys.map(\.appID)), .array(dates),
                .value(earliest), .value(latest),
            ]
        ).map(TakenDelivery.init)
    }

    /// The row is worth nothing where it lay.
    var removal: ChangedDelivery {
        ChangedDelivery(
            key: key, campaignID: campaignID, segmentID: segmentID, tokenID: tokenID,
            installationID: installationID,
            previousState: state,
            state: [],
            answerID: nil, previousAnswerID: state.isRejected ? answerID : nil, arrivalBucket: arrivalBucket,
            clickBucket: clickBucket)
    }
}

extension TakenDelivery {
    private init(_ row: PostgresRow) throws {
        let sentAt = try row.get(2, as: Instant.self)
        key = DeliveryKey(notificationID: try row.get(0), appID: try row.get(1), sentAt: sentAt)
        state = DeliveryState(rawValue: try row.get(3))
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
        answerID = try row.getOptional(13)
        answerRank = try row.get(14)
        refusedAt = try row.getOptional(15)
        collapseID = try row.getOptional(16)
        arrivalBucket = try row.getOptional(17)
        clickBucket = try row.getOptional(18)
    }
}
