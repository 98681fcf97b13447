internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Reads from the database how long notifications took.
struct LatencyReading {
    private let query: ReportQuery
    private let connection: PostgresConnection
    private let segmentIDs: [Int64]?
    private let buckets: [Int16: LatencyBucket]

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        self.query = try query.clamped(on: connection)
        self.connection = connection
        self.segmentIDs = try query.segmentIDs(on: connection)
        let all = try LatencyBucket.all(on: connection)
        buckets = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The rows by the query's dimensions; none if it has no breakdown.
    func rows() throws(PostgresError) -> [LatencyReport.Row] {
        guard !query.by.isEmpty else { return [] }
        return try read(by: query.by)
    }

    /// The totals, from a separate query without a breakdown.
    func totals() throws(PostgresError) -> LatencyReport.Stages {
        try read(by: []).first?.stages ?? LatencyReport.Stages()
    }

    /// Rows in the order in which the database lists the keys.
    private func read(by dimensions: [Dimension]) throws(PostgresError) -> [LatencyReport.Row] {
        try ask(by: dimensions).map { row throws(PostgresError) in
            LatencyReport.Row(
                key: try RowKey(row, by: dimensions),
                stages: LatencyReport.Stages(
                    arrival: try histogram(row, buckets: "arrival_buckets", counts: "arrivals"),
                    click: try histogram(row, buckets: "click_buckets", counts: "clicks"),
                    arrivalsByReceipt: try row.get("arrivals_by_receipt"),
                    clicksByReceipt: try row.get("clicks_by_receipt")))
        }
    }

    private func histogram(
        _ row: PostgresRow, buckets: String, counts: String
    ) throws(PostgresError) -> LatencyHistogram {
        let numbers = try row.getArray(buckets, of: Int16.self)
        let notifications = try row.getArray(counts, of: Int64.self)
        return LatencyHistogram(
            zip(numbers, notifications).compactMap { number, count in
                self.buckets[number].map { LatencyHistogram.Entry($0, count) }
            })
    }

    private func ask(by dimensions: [Dimension]) throws(PostgresError) -> PostgresRows {
        let most = dimensions.isEmpty ? nil : query.mostRows
        guard query.needsSegments else {
            return try connection.query(
                .Reports.latency, query.parameters(by: dimensions), mostRows: most)
        }
        let stages: [PostgresParameter] = [
            .array(LatencyStage.allCases.map(\.rawValue)),
            .array(LatencyStage.allCases.map(\.required.rawValue)),
            .array(
                LatencyStage.allCases.map { LatencyCounter($0, isByReceipt: true).timedByReceipt.rawValue }),
        ]
        return try connection.query(
            .Reports.latencyByTraits, query.parameters(by: dimensions, segmentIDs: segmentIDs) + stages,
            mostRows: most)
    }
}
