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
            .nullableArray(map(\.arrivedAfter)),
            .nullableArray(map(\.presentedAfter)),
            .nullableArray(map(\.clickedAfter)),
            .nullableArray(map(\.dismissedAfter)),
            .array(map(\.answerRank)), .nullableArray(map(\.refusedAt)),
            .nullableArray(map(\.action)), .nullableArray(map(\.collapseID)),
        ]
    }
}
