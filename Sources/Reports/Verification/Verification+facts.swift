internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

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
