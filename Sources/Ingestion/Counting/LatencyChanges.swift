internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// A batch's changes to the latency counters: an accepted notification counts once per stage passed, if the times are known.
struct LatencyChanges {
    private struct Key: Hashable, Comparable {
        let appID: Int64
        let quarter: Instant
        let campaignID: Int64
        let counter: LatencyCounter
        let bucket: Int16

        static func < (left: Self, right: Self) -> Bool {
            (left.appID, left.quarter, left.campaignID, left.counter, left.bucket)
                < (right.appID, right.quarter, right.campaignID, right.counter, right.bucket)
        }
    }

    private var changes = Changes<Key>()

    mutating func add(_ row: ChangedDelivery) {
        if let bucket = row.arrivalBucket { add(row, .arrival, bucket) }
        if let bucket = row.clickBucket { add(row, .click, bucket) }
    }

    private mutating func add(_ row: ChangedDelivery, _ stage: LatencyStage, _ bucket: Int16) {
        let isCounted = row.state.isSuperset(of: stage.required)
        guard isCounted != row.previousState.isSuperset(of: stage.required), let campaignID = row.campaignID
        else { return }
        func key(_ counter: LatencyCounter) -> Key {
            Key(
                appID: row.key.appID, quarter: row.key.sentAt.startOfQuarter, campaignID: campaignID,
                counter: counter, bucket: bucket)
        }
        let count: Int64 = isCounted ? 1 : -1
        changes.add(count, to: key(LatencyCounter(stage)))
        let byReceipt = LatencyCounter(stage, isByReceipt: true)
        if !row.timedByReceipt.isDisjoint(with: byReceipt.timedByReceipt) {
            changes.add(count, to: key(byReceipt))
        }
    }

    /// The statement that writes the changes under the writer's shard; `nil` if nothing changed.
    func statement(shard: Int16) -> PostgresStatement? {
        let rows = changes.sorted
        guard !rows.isEmpty else { return nil }
        let parameter = PostgresParameter.rows(PostgresRowType("landfall.latency_change"), rows) {
            change, row in
            row.append(change.key.appID)
            row.append(change.key.quarter)
            row.append(change.key.campaignID)
            row.append(change.key.counter.name)
            row.append(change.key.bucket)
            row.append(change.count)
        }
        return PostgresStatement(.Ingestion.addToLatencyRollup, [parameter, .value(shard)])
    }
}
