internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// What is kept by UTC day against the folded quarter hours that it adds up.
extension Verification {
    mutating func verifyDays(_ span: Range<Instant>, on connection: PostgresConnection)
        throws(PostgresError)
    {
        try verifyDays(
            "segment_day_rollup", .Reports.recordedSegmentDays, span, names: Recount.measureNames,
            firstValue: 4, on: connection
        ) { row throws(PostgresError) in try CounterKey(row, campaign: 2, segment: 3) }
        try verifyDays(
            "rejection_day_rollup", .Reports.recordedRejectionDays, span, names: ["rejected"],
            firstValue: 5, on: connection
        ) { row throws(PostgresError) in
            var key = try CounterKey(row, campaign: 2, segment: 3)
            key.part = .answer(try row.get(4))
            return key
        }
        try verifyDays(
            "latency_day_rollup", .Reports.recordedLatencyDays, span, names: ["notifications"],
            firstValue: 5, on: connection
        ) { row throws(PostgresError) in
            var key = try CounterKey(row, campaign: 2, segment: nil)
            key.part = .latency(stage: try row.get(3), bucket: try row.get(4))
            return key
        }
    }

    /// - Parameter firstValue: the column of the first counter; behind the last one stands whether the row is a day's.
    private mutating func verifyDays(
        _ table: String, _ file: SQLFile, _ span: Range<Instant>, names: [String], firstValue: Int,
        on connection: PostgresConnection, key: (PostgresRow) throws(PostgresError) -> CounterKey
    ) throws(PostgresError) {
        var (folded, days): ([CounterKey: [Int64]], [CounterKey: [Int64]]) = ([:], [:])
        for row in try connection.query(
            file, [.value(span.lowerBound), .value(span.upperBound), .value(appID)])
        {
            var values: [Int64] = []
            for position in names.indices { values.append(try row.get(firstValue + position)) }
            if try row.get(firstValue + names.count) {
                days[try key(row)] = values
            } else {
                folded[try key(row)] = values
            }
        }
        compare(table, folded, days, names: names)
    }
}
