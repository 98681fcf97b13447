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
        let segment: SegmentKey
        let old: DeliveryState
        let new: DeliveryState
    }

    private var changes: [Change: Int64] = [:]
    private var unmatched: [UnmatchedKey: [UnmatchedMeasure: Int64]] = [:]

    mutating func add(_ row: ChangedDelivery) {
        let quarter = row.key.sentAt.startOfQuarter
        for measure in UnmatchedMeasure.allCases {
            let difference = measure.value(of: row.state) - measure.value(of: row.previousState)
            guard difference != 0 else { continue }
            unmatched[UnmatchedKey(appID: row.key.appID, quarter: quarter), default: [:]][
                measure, default: 0] +=
                difference
        }
        guard let campaignID = row.campaignID, let segmentID = row.segmentID else { return }
        let headline = HeadlineKey(appID: row.key.appID, quarter: quarter, campaignID: campaignID)
        let change = Change(
            segment: SegmentKey(headline: headline, segmentID: segmentID), old: row.previousState,
            new: row.state)
        changes[change, default: 0] += 1
    }

    /// Writes the counters under the writer's slot.
    func write(slot: Int16, on connection: PostgresConnection) throws {
        var bySegment: [SegmentKey: MeasureCounts] = [:]
        var byHeadline: [HeadlineKey: MeasureCounts] = [:]
        for (change, count) in changes {
            var counts = MeasureCounts()
            counts.add(from: change.old, to: change.new, count: count)
            bySegment[change.segment, default: MeasureCounts()] += counts
            byHeadline[change.segment.headline, default: MeasureCounts()] += counts
        }
        try writeHeadlines(byHeadline, slot: slot, on: connection)
        try writeSegments(bySegment, slot: slot, on: connection)
        try writeUnmatched(slot: slot, on: connection)
    }

    private func writeHeadlines(
        _ counts: [HeadlineKey: MeasureCounts], slot: Int16, on connection: PostgresConnection
    ) throws {
        let rows = counts.filter { !$0.value.isZero }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return }
        let keys = rows.map(\.key)
        try connection.query(
            .Ingestion.addToDeliveryRollup,
            [
                .array(keys.map(\.appID)), .array(keys.map(\.quarter)),
                .array(keys.map(\.campaignID)), .value(slot),
            ] + parameters(rows.map(\.value)))
    }

    private func writeSegments(
        _ counts: [SegmentKey: MeasureCounts], slot: Int16, on connection: PostgresConnection
    ) throws {
        let rows = counts.filter { !$0.value.isZero }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return }
        let keys = rows.map(\.key)
        try connection.query(
            .Ingestion.addToSegmentRollup,
            [
                .array(keys.map(\.headline.appID)), .array(keys.map(\.headline.quarter)),
                .array(keys.map(\.headline.campaignID)), .array(keys.map(\.segmentID)), .value(slot),
            ] + parameters(rows.map(\.value)))
    }

    private func writeUnmatched(slot: Int16, on connection: PostgresConnection) throws {
        let rows = unmatched.filter { !$0.value.values.allSatisfy { $0 == 0 } }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return }
        try connection.query(
            .Ingestion.addToUnmatchedRollup,
            [
                .array(rows.map(\.key.appID)), .array(rows.map(\.key.quarter)), .value(slot),
                .array(rows.map { $0.value[.unmatched] ?? 0 }), .array(rows.map { $0.value[.local] ?? 0 }),
            ])
    }

    /// One array per measure, in the order of `Measure.allCases`, which is the order of the columns in the statements.
    private func parameters(_ counts: [MeasureCounts]) -> [PostgresParameter] {
        Measure.allCases.indices.map { position in .array(counts.map { $0.inOrder[position] }) }
    }
}
