internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// What a batch adds to the counters of times: an accepted notification counts once for each stage it has passed, when the
/// times are known.
struct LatencyChanges {
    private struct Key: Hashable, Comparable {
        let headline: RollupChanges.HeadlineKey
        let counter: LatencyCounter
        let bucket: Int16

        static func < (left: Self, right: Self) -> Bool {
            (left.headline, left.counter, left.bucket) < (right.headline, right.counter, right.bucket)
        }
    }

    private var counts: [Key: Int64] = [:]

    mutating func add(_ row: ChangedDelivery) {
        if let bucket = row.arrivalBucket { add(row, .arrival, bucket) }
        if let bucket = row.clickBucket { add(row, .click, bucket) }
    }

    private mutating func add(_ row: ChangedDelivery, _ stage: LatencyStage, _ bucket: Int16) {
        let isCounted = row.state.isSuperset(of: stage.required)
        guard isCounted != row.previousState.isSuperset(of: stage.required), let campaignID = row.campaignID
        else { return }
        let headline = RollupChanges.HeadlineKey(
            appID: row.key.appID, quarter: row.key.sentAt.startOfQuarter, campaignID: campaignID)
        func count(_ counter: LatencyCounter) {
            counts[Key(headline: headline, counter: counter, bucket: bucket), default: 0] +=
                isCounted ? 1 : -1
        }
        count(LatencyCounter(stage))
        let byReceipt = LatencyCounter(stage, isByReceipt: true)
        if !row.timedByReceipt.isDisjoint(with: byReceipt.timedByReceipt) { count(byReceipt) }
    }

    /// What is to be written under the writer's slot, sorted by key; nil when nothing changed.
    func statement(slot: Int16) -> PostgresStatement? {
        let rows = counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return nil }
        let parameter = PostgresParameter.rows(PostgresRowType("landfall.latency_change"), rows) {
            change, row in
            row.append(change.key.headline.appID)
            row.append(change.key.headline.quarter)
            row.append(change.key.headline.campaignID)
            row.append(change.key.counter.name)
            row.append(change.key.bucket)
            row.append(change.value)
        }
        return PostgresStatement(.Ingestion.addToLatencyRollup, [parameter, .value(slot)])
    }
}
