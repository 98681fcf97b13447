internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Notifications with a response.
enum MatchedDeliveries {
    /// Those of the keys under which there is a row with a response.
    ///
    /// - Parameter keys: sorted.
    static func find(_ keys: [DeliveryKey], on connection: PostgresConnection) throws -> [DeliveryKey] {
        let dates = keys.map(\.sentAt)
        guard let earliest = dates.min(), let latest = dates.max() else { return [] }
        return try connection.query(
            .Ingestion.findMatched,
            [
                .array(keys.map(\.notificationID)), .array(keys.map(\.appID)), .array(dates),
                .value(earliest), .value(latest),
            ]
        ).map { row in
            DeliveryKey(notificationID: try row.get(0), appID: try row.get(1), sentAt: try row.get(2))
        }
    }
}
