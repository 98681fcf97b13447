internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

/// What a batch adds to the counters: for each row that changed, what its new state is worth more than its old one.
struct RollupChanges {
    struct HeadlineKey: Hashable, Comparable {
        let appID: Int64
        let quarter: Instant
        let campaignID: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.appID, left.quarter, left.campaignID) < (right.appID, right.quarter, right.campaignID)
        }
    }

    struct SegmentKey: Hashable, Comparable {
        let headline: HeadlineKey
        let segmentID: Int64

        static func < (left: Self, right: Self) -> Bool {
            (left.headline, left.segmentID) < (right.headline, right.segmentID)
        }
    }

    struct UnmatchedKey: Hashable, Comparable {
        let appID: Int64
        let quarter: Instant

        static func < (left: Self, right: Self) -> Bool {
            (left.appID, left.quarter) < (right.appID, right.quarter)
        }
    }

    /// A change of state, which many notifications of a batch have in common.
    private struct Change: Hashable {
        let appID: Int64
        let quarter: Instant
        /// Nil while no answer is known.
        let campaignID: Int64?
        let segmentID: Int64?
        let old: DeliveryState
        let new: DeliveryState
    }

    private var changes: [Change: Int64] = [:]

    mutating func add(_ row: ChangedDelivery) {
        let change = Change(
            appID: row.key.appID, quarter: row.key.sentAt.startOfQuarter, campaignID: row.campaignID,
            segmentID: row.segmentID, old: row.previousState, new: row.state)
        changes[change, default: 0] += 1
    }

    /// What is to be written under the writer's slot. Sorted by key, so that writers of one slot do not lock each other out.
    func statements(slot: Int16) -> [PostgresStatement] {
        var bySegment: [SegmentKey: MeasureCounts] = [:]
        var byHeadline: [HeadlineKey: MeasureCounts] = [:]
        var unmatched: [UnmatchedKey: UnmatchedCounts] = [:]
        for (change, count) in changes {
            unmatched[UnmatchedKey(appID: change.appID, quarter: change.quarter), default: .init()]
                .add(from: change.old, to: change.new, count: count)
            guard let campaignID = change.campaignID, let segmentID = change.segmentID else { continue }
            let headline = HeadlineKey(
                appID: change.appID, quarter: change.quarter, campaignID: campaignID)
            var counts = MeasureCounts()
            counts.add(from: change.old, to: change.new, count: count)
            bySegment[SegmentKey(headline: headline, segmentID: segmentID), default: MeasureCounts()] +=
                counts
            byHeadline[headline, default: MeasureCounts()] += counts
        }
        return [
            headlines(byHeadline, slot: slot), segments(bySegment, slot: slot),
            unmatchedCounts(unmatched, slot: slot),
        ].compactMap(\.self)
    }

    private func headlines(_ counts: [HeadlineKey: MeasureCounts], slot: Int16) -> PostgresStatement? {
        let rows = counts.filter { !$0.value.isZero }.sorted { $0.key < $1.key }
            .map { MeasureChange(headline: $0.key, segmentID: nil, counts: $0.value) }
        guard !rows.isEmpty else { return nil }
        return PostgresStatement(.Ingestion.addToDeliveryRollup, [rows.parameter, .value(slot)])
    }

    private func segments(_ counts: [SegmentKey: MeasureCounts], slot: Int16) -> PostgresStatement? {
        let rows = counts.filter { !$0.value.isZero }.sorted { $0.key < $1.key }
            .map { MeasureChange(headline: $0.key.headline, segmentID: $0.key.segmentID, counts: $0.value) }
        guard !rows.isEmpty else { return nil }
        return PostgresStatement(.Ingestion.addToSegmentRollup, [rows.parameter, .value(slot)])
    }

    private func unmatchedCounts(
        _ counts: [UnmatchedKey: UnmatchedCounts], slot: Int16
    ) -> PostgresStatement? {
        let rows = counts.filter { !$0.value.isZero }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return nil }
        return PostgresStatement(
            .Ingestion.addToUnmatchedRollup,
            [
                .array(rows.map(\.key.appID)), .array(rows.map(\.key.quarter)), .value(slot),
                .array(rows.map(\.value.unmatched)), .array(rows.map(\.value.local)),
            ])
    }
}

private struct UnmatchedCounts {
    var unmatched: Int64 = 0
    var local: Int64 = 0

    var isZero: Bool { unmatched == 0 && local == 0 }

    mutating func add(from old: DeliveryState, to new: DeliveryState, count: Int64) {
        unmatched +=
            count * (UnmatchedMeasure.unmatched.value(of: new) - UnmatchedMeasure.unmatched.value(of: old))
        local += count * (UnmatchedMeasure.local.value(of: new) - UnmatchedMeasure.local.value(of: old))
    }
}
