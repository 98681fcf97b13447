internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// What a batch adds to the counters of rejections by answer: a rejected notification counts under one answer, the one that
/// stands.
struct RejectionChanges {
    private struct Key: Hashable, Comparable {
        let headline: RollupChanges.HeadlineKey
        let segmentID: Int64
        let answerID: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.headline, left.segmentID, left.answerID) < (right.headline, right.segmentID, right.answerID)
        }
    }

    private var counts: [Key: Int64] = [:]

    mutating func add(_ row: ChangedDelivery) {
        let before = row.previousState.isRejected ? row.previousAnswerID : nil
        let after = row.state.isRejected ? row.answerID : nil
        guard before != after, let campaignID = row.campaignID, let segmentID = row.segmentID else { return }
        let headline = RollupChanges.HeadlineKey(
            appID: row.key.appID, quarter: row.key.sentAt.startOfQuarter, campaignID: campaignID)
        if let before {
            counts[Key(headline: headline, segmentID: segmentID, answerID: before), default: 0] -= 1
        }
        if let after {
            counts[Key(headline: headline, segmentID: segmentID, answerID: after), default: 0] += 1
        }
    }

    /// What is to be written under the writer's slot, sorted by key; nil when nothing changed.
    func statement(slot: Int16) -> PostgresStatement? {
        let rows = counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return nil }
        let parameter = PostgresParameter.rows(PostgresRowType("landfall.rejection_change"), rows) {
            change, row in
            row.append(change.key.headline.appID)
            row.append(change.key.headline.quarter)
            row.append(change.key.headline.campaignID)
            row.append(change.key.segmentID)
            row.append(change.key.answerID)
            row.append(change.value)
        }
        return PostgresStatement(.Ingestion.addToRejectionRollup, [parameter, .value(slot)])
    }
}
