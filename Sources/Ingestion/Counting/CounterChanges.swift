internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Sums of changes by key, without the keys whose sum is 0.
struct Changes<Key: Hashable & Comparable> {
    private var counts: [Key: Int64] = [:]

    mutating func add(_ count: Int64, to key: Key) {
        counts[key, default: 0] += count
    }

    /// Sorted by key, so that writers of one shard do not deadlock.
    var sorted: [(key: Key, count: Int64)] {
        counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// A batch's changes to the counters: each row that changed leaves its old state and is counted in its new one.
struct CounterChanges {
    private struct Key: Hashable, Comparable {
        let appID: Int64
        let quarter: Instant
        /// This and `segmentID` are 0 until a response is recorded.
        let campaignID: Int64
        let segmentID: Int64
        /// The response of a rejected notification; 0 if it is not rejected.
        let responseID: Int64
        let state: DeliveryState

        static func < (left: Self, right: Self) -> Bool {
            (
                left.appID, left.quarter, left.campaignID, left.segmentID, left.responseID,
                left.state.rawValue
            ) < (
                right.appID, right.quarter, right.campaignID, right.segmentID, right.responseID,
                right.state.rawValue
            )
        }
    }

    private var changes = Changes<Key>()

    mutating func add(_ row: ChangedDelivery) {
        count(row, in: row.previousState, responseID: row.previousResponseID, -1)
        count(row, in: row.state, responseID: row.responseID, 1)
    }

    private mutating func count(
        _ row: ChangedDelivery, in state: DeliveryState, responseID: Int64?, _ count: Int64
    ) {
        guard !state.isEmpty else { return }
        var response: (campaignID: Int64, segmentID: Int64, responseID: Int64) = (0, 0, 0)
        if state.contains(.attempted) {
            guard let campaignID = row.campaignID, let segmentID = row.segmentID,
                let responseID = state.isRejected ? responseID : 0
            else { preconditionFailure("a row with a response lacks its campaign, segment or response") }
            response = (campaignID, segmentID, responseID)
        }
        changes.add(
            count,
            to: Key(
                appID: row.key.appID, quarter: row.key.sentAt.startOfQuarter,
                campaignID: response.campaignID, segmentID: response.segmentID,
                responseID: response.responseID, state: state))
    }

    /// The statement that writes the changes under the writer's shard; `nil` if nothing changed.
    func statement(shard: Int16) -> PostgresStatement? {
        let rows = changes.sorted
        guard !rows.isEmpty else { return nil }
        let parameter = PostgresParameter.rows(PostgresRowType("landfall.state_change"), rows) {
            change, row in
            row.append(change.key.appID)
            row.append(change.key.quarter)
            row.append(change.key.campaignID)
            row.append(change.key.segmentID)
            row.append(change.key.responseID)
            row.append(change.key.state.rawValue)
            row.append(change.count)
        }
        return PostgresStatement(.Ingestion.addToCounters, [parameter, .value(shard)])
    }
}
