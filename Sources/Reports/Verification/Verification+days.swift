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
