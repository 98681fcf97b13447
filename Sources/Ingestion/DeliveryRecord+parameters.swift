internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

extension [DeliveryRecord] {
    /// The parameters of `record_deliveries.sql`.
    var parameters: [PostgresParameter] {
        [
            .array(map(\.key.notificationID)), .array(map(\.key.appID)), .array(map(\.key.sentAt)),
            .nullableArray(map(\.campaignID)), .nullableArray(map(\.segmentID)),
            .nullableArray(map(\.tokenID)),
            .nullableArray(map(\.installationID)), .nullableArray(map(\.answerID)),
            .array(map(\.state.rawValue)),
            .nullableArray(map { $0.milliseconds(until: .arrival) }),
            .nullableArray(map { $0.milliseconds(until: .presentation) }),
            .nullableArray(map { $0.milliseconds(until: .click) }),
            .nullableArray(map { $0.milliseconds(until: .dismissal) }),
            .array(map(\.answerRank)), .nullableArray(map { $0.refusedAt }),
            .nullableArray(map(\.action)), .nullableArray(map(\.collapseID)),
        ]
    }
}
