internal import DeliveryModel
internal import PostgresClient

/// A row that a batch changed, as `record_deliveries.sql` answers it.
struct ChangedDelivery {
    let key: DeliveryKey
    let campaignID: Int64?
    let segmentID: Int64?
    let tokenID: Int64?
    let previousState: DeliveryState
    let state: DeliveryState
}

extension ChangedDelivery {
    /// Reads a row of `record_deliveries.sql`.
    init(_ row: PostgresRow) throws {
        self.init(
            key: DeliveryKey(
                notificationID: try row.get(0), appID: try row.get(1), sentAt: try row.get(2)),
            campaignID: try row.getOptional(3), segmentID: try row.getOptional(4),
            tokenID: try row.getOptional(5),
            previousState: DeliveryState(rawValue: try row.get(6)),
            state: DeliveryState(rawValue: try row.get(7)))
    }
}
