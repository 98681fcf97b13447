internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Asks the database how long notifications took.
struct LatencyReading {
    private let query: ReportQuery
    private let connection: PostgresConnection
    private let segmentIDs: [Int64]?
    private let buckets: [Int16: LatencyBucket]

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        self.query = query
        self.connection = connection
        self.segmentIDs = try query.segmentIDs(on: connection)
        var buckets: [Int16: LatencyBucket] = [:]
        for bucket in try LatencyBucket.all(on: connection) { buckets[bucket.number] = bucket }
        self.buckets = buckets
    }

    /// Broken down by the query's dimensions; none when it has none.
    func rows() throws(PostgresError) -> [LatencyReport.Row] {
        guard !query.by.isEmpty else { return [] }
        return try read(by: query.by)
    }

    /// The same question without a breakdown, which the database answers anew.
    func totals() throws(PostgresError) -> LatencyReport.Stages {
        try read(by: []).first?.stages ?? LatencyReport.Stages()
    }

    /// In the order in which the database lists the keys.
    private func read(by dimensions: [Dimension]) throws(PostgresError) -> [LatencyReport.Row] {
        var keys: [RowKey] = []
        var entries: [RowKey: [LatencyStage: [LatencyHistogram.Entry]]] = [:]
        for row in try ask(by: dimensions) {
            let key = try RowKey(row, by: dimensions)
            if keys.last != key { keys.append(key) }
            let number: Int16 = try row.get("bucket")
            let name: String = try row.get("stage")
            guard let stage = LatencyStage(rawValue: name), let bucket = buckets[number] else { continue }
            let entry = LatencyHistogram.Entry(bucket, try row.get("notifications"))
            entries[key, default: [:]][stage, default: []].append(entry)
        }
        return keys.map { key in
            let stages = entries[key] ?? [:]
            return LatencyReport.Row(
                key: key,
                stages: LatencyReport.Stages(
                    arrival: LatencyHistogram(stages[.arrival] ?? []),
                    click: LatencyHistogram(stages[.click] ?? [])))
        }
    }

    /// Of one row of the report: a stage of it mostly fills some dozens of buckets.
    private static let bucketsOfRow = 100

    private func ask(by dimensions: [Dimension]) throws(PostgresError) -> PostgresRows {
        let most = dimensions.isEmpty ? nil : query.mostRows.map { $0 * Self.bucketsOfRow }
        guard query.needsSegments else {
            return try connection.query(
                .Reports.latency, query.parameters(by: dimensions), mostRows: most)
        }
        let stages: [PostgresParameter] = [
            .array(LatencyStage.allCases.map(\.rawValue)),
            .array(LatencyStage.allCases.map(\.required.rawValue)),
        ]
        return try connection.query(
            .Reports.latencyByTraits, query.parameters(by: dimensions, segmentIDs: segmentIDs) + stages,
            mostRows: most)
    }
}
