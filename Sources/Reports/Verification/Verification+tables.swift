internal import DeliveryModel
internal import PostgresClient

/// Compares counters with the notifications of a span, and counters of days with their quarter hours.
extension Verification {
    mutating func verify(_ span: Range<Instant>, on connection: PostgresConnection) throws(PostgresError) {
        func bits(_ states: DeliveryState...) -> [PostgresParameter] { states.map { .value($0.rawValue) } }
        let counted = try recount(
            "counter", span, .Reports.recountCounters, bits(.attempted, .accepted),
            .Reports.recordedCounters, on: connection, key: CounterKey.init(ofState:))
        notifications += counted.values.reduce(0) { $0 + $1[0] }
        let stages: [PostgresParameter] = [
            .array(LatencyCounter.all.map(\.name)), .array(LatencyCounter.all.map(\.stage.rawValue)),
            .array(LatencyCounter.all.map(\.stage.required.rawValue)),
            .array(LatencyCounter.all.map(\.timedByReceipt.rawValue)),
        ]
        try recount(
            "latency_rollup", span, .Reports.recountLatency, stages, .Reports.recordedLatencyRollup,
            on: connection
        ) { row throws(PostgresError) in try CounterKey(ofLatency: row, time: "quarter") }
        try recount(
            "version_rollup", span, .Reports.recountVersions,
            bits([.attempted, .accepted, .canReport], .arrived), .Reports.recordedVersionRollup,
            names: ["reportable", "arrived_named", "arrived_unnamed"], on: connection,
            key: CounterKey.init(ofVersion:))
    }

    /// - Parameters:
    ///   - recounted: counts the notifications of the span, with these parameters.
    ///   - recorded: reads the counters of the span.
    ///   - names: the columns of the counts.
    @discardableResult
    private mutating func recount(
        _ table: String, _ span: Range<Instant>, _ recounted: SQLFile, _ parameters: [PostgresParameter],
        _ recorded: SQLFile, names: [String] = ["notifications"], on connection: PostgresConnection,
        key: (PostgresRow) throws(PostgresError) -> CounterKey
    ) throws(PostgresError) -> [CounterKey: [Int64]] {
        let counted = try Self.counters(
            in: connection.query(recounted, span.bounds + parameters + [.value(appID)]), names, key)
        let recorded = try Self.counters(
            in: connection.query(recorded, span.bounds + [.value(appID)]), names, key)
        compare(table, counted, recorded, names: names)
        return counted
    }

    private static func counters(
        in rows: PostgresRows, _ names: [String], _ key: (PostgresRow) throws(PostgresError) -> CounterKey
    ) throws(PostgresError) -> [CounterKey: [Int64]] {
        var counters: [CounterKey: [Int64]] = [:]
        counters.reserveCapacity(rows.count)
        for row in rows {
            counters[try key(row)] = try names.map { name throws(PostgresError) in
                try row.get(name, as: Int64.self)
            }
        }
        return counters
    }

    mutating func verifyDays(_ span: Range<Instant>, on connection: PostgresConnection)
        throws(PostgresError)
    {
        let parameters = span.bounds + [.value(appID)]
        var grains: [String: (counted: [CounterKey: [Int64]], recorded: [CounterKey: [Int64]])] = [:]
        for row in try connection.query(.Reports.recordedGrains, parameters) {
            let (grain, key): (String, CounterKey) = (try row.get("grain"), try CounterKey(ofState: row))
            grains[grain, default: ([:], [:])].counted[key] = [try row.get("counted")]
            grains[grain, default: ([:], [:])].recorded[key] = [try row.get("recorded")]
        }
        for (grain, sides) in grains.sorted(by: { $0.key < $1.key }) {
            compare(grain == "day" ? "counter_day" : grain, sides.counted, sides.recorded)
        }
        var (folded, days): ([CounterKey: [Int64]], [CounterKey: [Int64]]) = ([:], [:])
        for row in try connection.query(.Reports.recordedLatencyDays, parameters) {
            let key = try CounterKey(ofLatency: row, time: "day")
            let count: Int64 = try row.get("notifications")
            if try row.get("is_day") { days[key] = [count] } else { folded[key] = [count] }
        }
        compare("latency_day_rollup", folded, days)
    }
}

extension Range<Instant> {
    fileprivate var bounds: [PostgresParameter] { [.value(lowerBound), .value(upperBound)] }
}

extension Verification {
    /// Compares received items with their verdicts, and rejected items with the quarantine and its books.
    /// Holds at every commit, because the writer counts both in the batch's own transaction:
    ///
    /// - received = accepted + duplicates + rejected, per app and hour;
    /// - rejected = kept + repeated, per app: each rejected item is a row, or repeats one;
    /// - rows in quarantine = kept − evicted − dropped − replayed, per app and kind of key; also in bytes.
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
            check("intake_rollup", appID, hour: try row.get("hour"), "received", parts, received)
        }
        var booked: [Int64: Int64] = [:]
        for row in try connection.query(.Reports.quarantineBooks) {
            let appID: Int64 = try row.get("app_id")
            guard isAsked(appID) else { continue }
            let (poster, items): (String, Int64) = (try row.get("poster"), try row.get("counted_items"))
            quarantined += items
            booked[appID, default: 0] += try row.get("rejected", as: Int64.self)
            check("quarantine_count", appID, "\(poster)_items", items, try row.get("items"))
            check(
                "quarantine_count", appID, "\(poster)_bytes", try row.get("counted_bytes"),
                try row.get("bytes"))
        }
        for appID in Set(rejected.filter { $0.value != 0 }.keys).union(booked.keys).sorted() {
            check("quarantine_count", appID, "rejected", rejected[appID] ?? 0, booked[appID] ?? 0)
        }
    }

    private func isAsked(_ appID: Int64) -> Bool { self.appID.map { $0 == appID } ?? true }

    private mutating func check(
        _ table: String, _ appID: Int64, hour: Instant? = nil, _ measure: String, _ counted: Int64,
        _ recorded: Int64
    ) {
        counters += 1
        guard counted != recorded else { return }
        note(
            Difference(
                table: table, appID: appID, quarter: hour, campaignID: nil, segmentID: nil, measure: measure,
                counted: counted, recorded: recorded))
    }
}

/// The identity of a counter: app and quarter hour, and campaign, segment and part where they exist.
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
        let campaignID: Int64 = try row.get("campaign_id")
        let segmentID: Int64 = try row.get("segment_id")
        self.init(
            appID: try row.get("app_id"), quarter: try row.get("quarter"),
            campaignID: campaignID == 0 ? nil : campaignID, segmentID: segmentID == 0 ? nil : segmentID,
            part: .state(try row.get("state"), responseID: try row.get("response_id")))
    }

    /// - Parameter time: the column of the time, `quarter` or `day`.
    init(ofLatency row: PostgresRow, time: String) throws(PostgresError) {
        self.init(
            appID: try row.get("app_id"), quarter: try row.get(time),
            campaignID: try row.getOptional("campaign_id"), segmentID: nil,
            part: .latency(stage: try row.get("stage"), bucket: try row.get("bucket")))
    }

    /// The versions of a day.
    init(ofVersion row: PostgresRow) throws(PostgresError) {
        self.init(
            appID: try row.get("app_id"), quarter: try row.get("day"), campaignID: nil, segmentID: nil,
            part: .version(platform: try row.get("platform"), appVersion: try row.get("app_version")))
    }
}
