internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// How many accepted notifications passed a stage in how much time.
struct LatencyKey: ChangeKey {
    static let rowType = PostgresRowType("landfall.latency_change")
    static let statement = SQLFile.Ingestion.addToLatencyRollup

    let appID: Int64
    let quarter: Instant
    let campaignID: Int64
    let counter: LatencyCounter
    let bucket: Int16

    func append(to row: inout PostgresRowEncoder) {
        row.append(appID)
        row.append(quarter)
        row.append(campaignID)
        row.append(counter.name)
        row.append(bucket)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.appID, left.quarter, left.campaignID, left.counter, left.bucket)
            < (right.appID, right.quarter, right.campaignID, right.counter, right.bucket)
    }
}

extension Changes<LatencyKey> {
    /// A notification counts once per stage that it passed, if the times are known.
    mutating func add(_ row: ChangedDelivery) {
        if let bucket = row.arrivalBucket { add(row, .arrival, bucket) }
        if let bucket = row.clickBucket { add(row, .click, bucket) }
    }

    private mutating func add(_ row: ChangedDelivery, _ stage: LatencyStage, _ bucket: Int16) {
        let isCounted = row.state.isSuperset(of: stage.required)
        guard isCounted != row.previousState.isSuperset(of: stage.required), let campaignID = row.campaignID
        else { return }
        func key(_ counter: LatencyCounter) -> LatencyKey {
            LatencyKey(
                appID: row.key.appID, quarter: row.key.sentAt.startOfQuarter, campaignID: campaignID,
                counter: counter, bucket: bucket)
        }
        let count: Int64 = isCounted ? 1 : -1
        add(count, to: key(LatencyCounter(stage)))
        let byReceipt = LatencyCounter(stage, isByReceipt: true)
        if !row.timedByReceipt.isDisjoint(with: byReceipt.timedByReceipt) {
            add(count, to: key(byReceipt))
        }
    }
}
