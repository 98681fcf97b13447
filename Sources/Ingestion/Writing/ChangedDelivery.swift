internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient

/// A row that a batch changed, as `record_deliveries.sql` returns it.
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
    /// The same, before the change.
    let previousResponseID: Int64?
    /// The buckets of the times; `nil` if a time is unknown. A time never changes once the bits of its event are set.
    let arrivalBucket: Int16?
    let clickBucket: Int16?
    /// Milliseconds from the key's date to when the push was sent; in a pointer, to the row's date.
    let sentAfter: Int64?
    /// The kinds of device event whose times are those of receipt.
    let timedByReceipt: DeliveryState
    /// The version of the app that the arrival named. Like the times, it never changes once the arrival's bit is set.
    let arrivedVersion: String?

    /// The time the push was sent, as far as responses stated it.
    var pushedAt: Instant { key.sentAt + Span(milliseconds: sentAfter ?? 0) }

    /// The key of the row that this one points to; `nil` unless it is a pointer.
    var destination: DeliveryKey? {
        guard state.isEmpty, sentAfter != nil else { return nil }
        return DeliveryKey(notificationID: key.notificationID, appID: key.appID, sentAt: pushedAt)
    }
}

extension ChangedDelivery {
    /// Reads the rows of `record_deliveries.sql`, sorted by key.
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
        var changed: [ChangedDelivery] = []
        changed.reserveCapacity(rows.count)
        var isSorted = true
        for index in 0..<rows.count {
            let key = DeliveryKey(notificationID: ids[index], appID: appIDs[index], sentAt: sentAt[index])
            if let last = changed.last, key < last.key { isSorted = false }
            changed.append(
                ChangedDelivery(
                    key: key, campaignID: campaignIDs[index], segmentID: segmentIDs[index],
                    tokenID: tokenIDs[index], installationID: installationIDs[index],
                    previousState: DeliveryState(rawValue: previousStates[index]),
                    state: DeliveryState(rawValue: states[index]),
                    responseID: responseIDs[index], previousResponseID: previousResponseIDs[index],
                    arrivalBucket: arrivalBuckets[index], clickBucket: clickBuckets[index],
                    sentAfter: sentAfter[index],
                    timedByReceipt: DeliveryState(rawValue: timedByReceipt[index] ?? 0),
                    arrivedVersion: arrivedVersions[index]))
        }
        // A single server returns rows in the order of the parameter; a coordinator of several (Citus) may not.
        if !isSorted { changed.sort { $0.key < $1.key } }
        return changed
    }
}
