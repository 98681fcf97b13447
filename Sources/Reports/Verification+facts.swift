internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// What reports about rejections, times and extensions are read from.
extension Verification {
    mutating func verifyRejections(_ span: Range<Instant>, on connection: PostgresConnection)
        throws(PostgresError)
    {
        let bounds: [PostgresParameter] = [.value(span.lowerBound), .value(span.upperBound)]
        let bits: [DeliveryState] = [.attempted, .accepted]
        let counted = try Self.rejections(
            in: connection.query(
                .Reports.recountRejections, bounds + bits.map { .value($0.rawValue) } + [.value(appID)]))
        let recorded = try Self.rejections(
            in: connection.query(.Reports.recordedRejectionRollup, bounds + [.value(appID)]))
        compare("rejection_rollup", counted, recorded, names: ["rejected"])
    }

    mutating func verifyLatency(_ span: Range<Instant>, on connection: PostgresConnection)
        throws(PostgresError)
    {
        let bounds: [PostgresParameter] = [.value(span.lowerBound), .value(span.upperBound)]
        let stages: [PostgresParameter] = [
            .array(LatencyStage.allCases.map(\.rawValue)),
            .array(LatencyStage.allCases.map(\.required.rawValue)),
        ]
        let counted = try Self.latencies(
            in: connection.query(.Reports.recountLatency, bounds + stages + [.value(appID)]))
        let recorded = try Self.latencies(
            in: connection.query(.Reports.recordedLatencyRollup, bounds + [.value(appID)]))
        compare("latency_rollup", counted, recorded, names: ["notifications"])
    }

    /// Every known version of an app with arrivals must be noted. One that is noted may have lost them: its notifications moved to
    /// another version's answer.
    mutating func verifyVersions(on connection: PostgresConnection) throws(PostgresError) {
        for row in try connection.query(.Reports.reportedVersions) {
            guard try isAsked(row.get("app_id")) else { continue }
            counters += 1
            guard try !row.get("is_noted", as: Bool.self) else { continue }
            let (platform, version): (String, String) = (try row.get("platform"), try row.get("app_version"))
            note(
                Difference(
                    table: "reporting_version", appID: try row.get("app_id"), quarter: nil, campaignID: nil,
                    segmentID: nil, measure: "\(platform) \(version)", counted: 1, recorded: 0))
        }
    }

    /// App, quarter, campaign, segment, answer, and how many.
    private static func rejections(in rows: PostgresRows) throws(PostgresError) -> [CounterKey: [Int64]] {
        var counters: [CounterKey: [Int64]] = [:]
        for row in rows {
            var key = try CounterKey(row, campaign: 2, segment: 3)
            key.part = .answer(try row.getOptional(4) ?? 0)
            counters[key] = [try row.get(5)]
        }
        return counters
    }

    /// App, quarter, campaign, stage, bucket, and how many.
    private static func latencies(in rows: PostgresRows) throws(PostgresError) -> [CounterKey: [Int64]] {
        var counters: [CounterKey: [Int64]] = [:]
        for row in rows {
            var key = try CounterKey(row, campaign: 2, segment: nil)
            key.part = .latency(stage: try row.get(3), bucket: try row.get(4))
            counters[key] = [try row.get(5)]
        }
        return counters
    }
}
