internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Compares the counters by UTC day and the headline counters with the folded quarter hours that they add up.
extension Verification {
    mutating func verifyDays(_ span: Range<Instant>, on connection: PostgresConnection)
        throws(PostgresError)
    {
        let bounds: [PostgresParameter] = [
            .value(span.lowerBound), .value(span.upperBound), .value(appID),
        ]
        var grains: [String: (counted: [CounterKey: [Int64]], recorded: [CounterKey: [Int64]])] = [:]
        for row in try connection.query(.Reports.recordedGrains, bounds) {
            let (grain, key): (String, CounterKey) = (try row.get("grain"), try CounterKey(ofState: row))
            grains[grain, default: ([:], [:])].counted[key] = [try row.get("counted")]
            grains[grain, default: ([:], [:])].recorded[key] = [try row.get("recorded")]
        }
        for (grain, sides) in grains.sorted(by: { $0.key < $1.key }) {
            compare(
                grain == "day" ? "counter_day" : grain, sides.counted, sides.recorded,
                names: ["notifications"])
        }
        try verifyLatencyDays(bounds, on: connection)
    }

    private mutating func verifyLatencyDays(
        _ bounds: [PostgresParameter], on connection: PostgresConnection
    ) throws(PostgresError) {
        var (folded, days): ([CounterKey: [Int64]], [CounterKey: [Int64]]) = ([:], [:])
        for row in try connection.query(.Reports.recordedLatencyDays, bounds) {
            var key = try CounterKey(row, time: "day", hasCampaign: true)
            key.part = .latency(stage: try row.get("stage"), bucket: try row.get("bucket"))
            if try row.get("is_day") {
                days[key] = [try row.get("notifications")]
            } else {
                folded[key] = [try row.get("notifications")]
            }
        }
        compare("latency_day_rollup", folded, days, names: ["notifications"])
    }
}

/// Verifies the counters that reports about latency and extensions read.
extension Verification {
    mutating func verifyLatency(_ span: Range<Instant>, on connection: PostgresConnection)
        throws(PostgresError)
    {
        let bounds: [PostgresParameter] = [.value(span.lowerBound), .value(span.upperBound)]
        let stages: [PostgresParameter] = [
            .array(LatencyCounter.all.map(\.name)), .array(LatencyCounter.all.map(\.stage.rawValue)),
            .array(LatencyCounter.all.map(\.stage.required.rawValue)),
            .array(LatencyCounter.all.map(\.timedByReceipt.rawValue)),
        ]
        let counted = try Self.latencies(
            in: connection.query(.Reports.recountLatency, bounds + stages + [.value(appID)]))
        let recorded = try Self.latencies(
            in: connection.query(.Reports.recordedLatencyRollup, bounds + [.value(appID)]))
        compare("latency_rollup", counted, recorded, names: ["notifications"])
    }

    mutating func verifyVersions(_ span: Range<Instant>, on connection: PostgresConnection)
        throws(PostgresError)
    {
        let bounds: [PostgresParameter] = [.value(span.lowerBound), .value(span.upperBound)]
        let reportable: DeliveryState = [.attempted, .accepted, .canReport]
        let bits = [reportable, .arrived].map { PostgresParameter.value($0.rawValue) }
        let counted = try Self.versions(
            in: connection.query(.Reports.recountVersions, bounds + bits + [.value(appID)]))
        let recorded = try Self.versions(
            in: connection.query(.Reports.recordedVersionRollup, bounds + [.value(appID)]))
        compare(
            "version_rollup", counted, recorded, names: ["reportable", "arrived_named", "arrived_unnamed"])
    }

    /// App, day, platform, version, and the count of each kind.
    private static func versions(in rows: PostgresRows) throws(PostgresError) -> [CounterKey: [Int64]] {
        var counters: [CounterKey: [Int64]] = [:]
        for row in rows {
            var key = try CounterKey(row, time: "day", hasCampaign: false)
            key.part = .version(platform: try row.get("platform"), appVersion: try row.get("app_version"))
            counters[key] = [
                try row.get("reportable"), try row.get("arrived_named"), try row.get("arrived_unnamed"),
            ]
        }
        return counters
    }

    /// App, quarter, campaign, stage, bucket, and the count.
    private static func latencies(in rows: PostgresRows) throws(PostgresError) -> [CounterKey: [Int64]] {
        var counters: [CounterKey: [Int64]] = [:]
        for row in rows {
            var key = try CounterKey(row, time: "quarter", hasCampaign: true)
            key.part = .latency(stage: try row.get("stage"), bucket: try row.get("bucket"))
            counters[key] = [try row.get("notifications")]
        }
        return counters
    }
}

extension Verification {
    /// Compares received items with their verdicts, and rejected items with the quarantine and its
    /// books. Holds at every commit, because the writer counts both in the batch's own transaction:
    ///
    /// - received = accepted + duplicates + rejected, per app and hour;
    /// - rejected = kept + repeated, per app: each rejected item is a row, or repeats one;
    /// - rows in quarantine = kept − evicted − dropped − replayed, per app and kind of key, and the same in bytes.
    ///
    /// A replayed item is received again, and counts once more in the first equation.
    mutating func verifyIntake(on connection: PostgresConnection) throws(PostgresError) {
        var rejected: [Int64: Int64] = [:]
        for row in try connection.query(.Reports.recordedIntakeRollup) {
            let appID: Int64 = try row.get("app_id")
            guard isAsked(appID) else { continue }
            let (received, invalid): (Int64, Int64) = (try row.get("received"), try row.get("rejected"))
            let parts = try row.get("accepted") + row.get("duplicates") + invalid
            self.received += received
            rejected[appID, default: 0] += invalid
            check(
                "intake_rollup", appID, hour: try row.get("hour"), "received", counted: parts,
                recorded: received)
        }
        var booked: [Int64: Int64] = [:]
        for row in try connection.query(.Reports.quarantineBooks) {
            let appID: Int64 = try row.get("app_id")
            guard isAsked(appID) else { continue }
            let (poster, items): (String, Int64) = (try row.get("poster"), try row.get("counted_items"))
            quarantined += items
            booked[appID, default: 0] += try row.get("rejected", as: Int64.self)
            check(
                "quarantine_count", appID, "\(poster)_items", counted: items,
                recorded: try row.get("items"))
            check(
                "quarantine_count", appID, "\(poster)_bytes", counted: try row.get("counted_bytes"),
                recorded: try row.get("bytes"))
        }
        for appID in Set(rejected.filter { $0.value != 0 }.keys).union(booked.keys).sorted() {
            check(
                "quarantine_count", appID, "rejected", counted: rejected[appID] ?? 0,
                recorded: booked[appID] ?? 0)
        }
    }

    func isAsked(_ appID: Int64) -> Bool { self.appID.map { $0 == appID } ?? true }

    private mutating func check(
        _ table: String, _ appID: Int64, hour: Instant? = nil, _ measure: String, counted: Int64,
        recorded: Int64
    ) {
        counters += 1
        guard counted != recorded else { return }
        note(
            Difference(
                table: table, appID: appID, quarter: hour, campaignID: nil, segmentID: nil, measure: measure,
                counted: counted, recorded: recorded))
    }
}

/// The identity of a counter: app and quarter hour, and campaign, segment and part in the tables that have them.
struct CounterKey: Hashable, Comparable {
    let appID: Int64
    let quarter: Instant
    let campaignID: Int64?
    let segmentID: Int64?
    var part: Verification.Part?

    static func < (left: CounterKey, right: CounterKey) -> Bool {
        let (leftIDs, rightIDs) = (left.ids, right.ids)
        guard leftIDs == rightIDs else { return leftIDs < rightIDs }
        guard let leftPart = left.part, let rightPart = right.part else {
            return left.part == nil && right.part != nil
        }
        return leftPart < rightPart
    }

    private var ids: (Int64, Instant, Int64, Int64) { (appID, quarter, campaignID ?? 0, segmentID ?? 0) }
}

extension CounterKey {
    /// Reads the key of a counter by state. An id of 0 means none.
    init(ofState row: PostgresRow) throws(PostgresError) {
        let (campaignID, segmentID): (Int64, Int64) = (
            try row.get("campaign_id"), try row.get("segment_id")
        )
        self.init(
            appID: try row.get("app_id"), quarter: try row.get("quarter"),
            campaignID: campaignID == 0 ? nil : campaignID, segmentID: segmentID == 0 ? nil : segmentID,
            part: .state(try row.get("state"), responseID: try row.get("response_id")))
    }

    /// Reads the app, the time, and the campaign if there is such a column.
    ///
    /// - Parameter time: the column of the time, `quarter` or `day`.
    init(_ row: PostgresRow, time: String, hasCampaign: Bool) throws(PostgresError) {
        var campaignID: Int64?
        if hasCampaign { campaignID = try row.getOptional("campaign_id") }
        self.init(
            appID: try row.get("app_id"), quarter: try row.get(time), campaignID: campaignID, segmentID: nil)
    }
}
