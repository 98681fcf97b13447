internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// A batch's changes to the counters of versions that report. They are kept by segment, because the database knows a segment's
/// app version and whether the arrivals named the same one.
struct VersionChanges {
    private struct Key: Hashable, Comparable {
        let appID: Int64
        let segmentID: Int64
        let day: Instant
        /// Empty if no arrival is counted, or none that named a version.
        let arrivedVersion: String

        static func < (left: Self, right: Self) -> Bool {
            (left.appID, left.segmentID, left.day, left.arrivedVersion)
                < (right.appID, right.segmentID, right.day, right.arrivedVersion)
        }
    }

    private var counts: [Key: (reportable: Int64, arrived: Int64)] = [:]

    mutating func add(_ row: ChangedDelivery) {
        guard let segmentID = row.segmentID else { return }
        let reportable = row.change(in: .reportable)
        let arrived = row.change(in: .arrivedReportable)
        guard reportable != 0 || arrived != 0 else { return }
        let key = Key(
            appID: row.key.appID, segmentID: segmentID, day: row.key.sentAt.startOfUTCDay,
            arrivedVersion: arrived == 0 ? "" : row.arrivedVersion ?? "")
        counts[key, default: (0, 0)].reportable += reportable
        counts[key, default: (0, 0)].arrived += arrived
    }

    /// The statement that writes the changes under the writer's shard; `nil` if nothing changed.
    func statement(shard: Int16) -> PostgresStatement? {
        let rows = counts.filter { $0.value != (0, 0) }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return nil }
        return PostgresStatement(
            .Ingestion.addToVersionRollup,
            [
                .array(rows.map(\.key.appID)), .array(rows.map(\.key.segmentID)), .array(rows.map(\.key.day)),
                .array(rows.map(\.key.arrivedVersion)), .array(rows.map(\.value.reportable)),
                .array(rows.map(\.value.arrived)), .value(shard),
            ])
    }
}

extension ChangedDelivery {
    fileprivate func change(in measure: Measure) -> Int64 {
        measure.value(of: state) - measure.value(of: previousState)
    }
}
