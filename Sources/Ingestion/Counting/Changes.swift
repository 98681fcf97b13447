internal import DeliveryModel
internal import PostgresClient

/// The counter that a change belongs to. Writers of one shard change counters in ascending order, so that
/// they do not deadlock.
protocol ChangeKey: Hashable, Comparable {
    /// The type of a change: the fields of the key, then a number of notifications.
    static var rowType: PostgresRowType { get }
    /// Adds changes, its first parameter, to the counters of a shard, its second.
    static var statement: SQLFile { get }
    func append(to row: inout PostgresRowEncoder)
}

/// A batch's changes to counters: for each key, how many notifications it gains or loses.
struct Changes<Key: ChangeKey> {
    private var counts: [Key: Int64] = [:]

    mutating func add(_ count: Int64, to key: Key) { counts[key, default: 0] += count }

    /// The statement that writes the changes under the writer's shard; `nil` if nothing changed.
    func statement(shard: Int16) -> PostgresStatement? {
        let rows = counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return nil }
        let parameter = PostgresParameter.rows(Key.rowType, rows) { change, row in
            change.key.append(to: &row)
            row.append(change.value)
        }
        return PostgresStatement(Key.statement, [parameter, .value(shard)])
    }
}

/// How many notifications are in which state.
struct StateKey: ChangeKey {
    static let rowType = PostgresRowType("landfall.state_change")
    static let statement = SQLFile.Ingestion.addToCounters

    let appID: Int64
    let quarter: Instant
    /// This and `segmentID` are 0 until a response is recorded.
    let campaignID: Int64
    let segmentID: Int64
    /// The response of a rejected notification; 0 if it is not rejected.
    let responseID: Int64
    let state: DeliveryState

    func append(to row: inout PostgresRowEncoder) {
        row.append(appID)
        row.append(quarter)
        row.append(campaignID)
        row.append(segmentID)
        row.append(responseID)
        row.append(state.rawValue)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.appID, left.quarter, left.campaignID, left.segmentID, left.responseID, left.state.rawValue)
            < (
                right.appID, right.quarter, right.campaignID, right.segmentID, right.responseID,
                right.state.rawValue
            )
    }
}

extension Changes<StateKey> {
    /// A row that changed leaves its old state and is counted in its new one.
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
        add(
            count,
            to: StateKey(
                appID: row.key.appID, quarter: row.key.sentAt.startOfQuarter, campaignID: response.campaignID,
                segmentID: response.segmentID, responseID: response.responseID, state: state))
    }
}

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

/// How many notifications each app version could report, and did. Changes are kept by segment, because the
/// database knows a segment's app version and whether the arrivals named the same one.
struct VersionKey: ChangeKey {
    static let rowType = PostgresRowType("landfall.version_change")
    static let statement = SQLFile.Ingestion.addToVersionRollup

    let appID: Int64
    let segmentID: Int64
    let day: Instant
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
