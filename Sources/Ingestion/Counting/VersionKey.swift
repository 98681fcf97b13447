internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// How many notifications each app version could report, and did. Changes are kept by segment, because the database knows a
/// segment's app version and whether the arrivals named the same one.
struct VersionKey: ChangeKey {
    static let rowType = PostgresRowType("landfall.version_change")
    static let statement = SQLFile.Ingestion.addToVersionRollup

    let appID: Int64
    let segmentID: Int64
    let day: Instant
    /// `reportable` or `arrivedReportable`.
    let measure: Measure
    /// Empty if no arrival is counted, or none that named a version.
    let arrivedVersion: String

    func append(to row: inout PostgresRowEncoder) {
        row.append(appID)
        row.append(segmentID)
        row.append(day)
        row.append(measure.rawValue)
        row.append(arrivedVersion)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.appID, left.segmentID, left.day, left.measure.rawValue, left.arrivedVersion)
            < (right.appID, right.segmentID, right.day, right.measure.rawValue, right.arrivedVersion)
    }
}

extension Changes<VersionKey> {
    mutating func add(_ row: ChangedDelivery) {
        guard let segmentID = row.segmentID else { return }
        for measure in [Measure.reportable, .arrivedReportable] {
            let change = measure.value(of: row.state) - measure.value(of: row.previousState)
            guard change != 0 else { continue }
            add(
                change,
                to: VersionKey(
                    appID: row.key.appID, segmentID: segmentID, day: row.key.sentAt.startOfUTCDay,
                    measure: measure,
                    arrivedVersion: measure == .arrivedReportable ? row.arrivedVersion ?? "" : ""))
        }
    }
}
