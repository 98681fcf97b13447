internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Notifications with a response.
enum MatchedDeliveries {
    /// The rows with a response under these keys, and the installations that the pushes went to, as far as they are known.
    ///
    /// - Parameter keys: sorted.
    static func find(
        _ keys: [DeliveryKey], on connection: PostgresConnection
    ) throws -> [(key: DeliveryKey, installationID: Int64?)] {
        let dates = keys.map(\.sentAt)
        guard let earliest = dates.min(), let latest = dates.max() else { return [] }
        return try connection.query(
            .Ingestion.findMatched,
            [
                .array(keys.map(\.notificationID)), .array(keys.map(\.appID)), .array(dates),
                .value(earliest), .value(latest),
            ]
        ).map { row in
            (
                DeliveryKey(notificationID: try row.get(0), appID: try row.get(1), sentAt: try row.get(2)),
                try row.getOptional(3)
            )
        }
    }
}
