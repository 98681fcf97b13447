internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

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
