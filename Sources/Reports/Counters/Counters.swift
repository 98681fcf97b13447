internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Reads the counters of a query: the headline counters, unless only those by segment contain the result.
struct Counters {
    private let query: ReportQuery
    private let connection: PostgresConnection
    private let segmentIDs: [Int64]?

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        self.query = try query.clamped(on: connection)
        self.connection = connection
        self.segmentIDs = try query.segmentIDs(on: connection)
    }

    /// The rows by the query's dimensions; none if it has no breakdown.
    ///
    /// - Parameter most: the maximum number of rows; more throw
    ///   ``PostgresError/tooManyRows(statement:most:)``. `nil` means the query's own maximum.
    func rows(most: Int? = nil) throws(PostgresError) -> [CountedRow] {
        guard !query.by.isEmpty else { return [] }
        var rows: [CountedRow] = []
        for row in try read(by: query.by, mostRows: most ?? query.mostRows) {
            let key = try RowKey(row, by: query.by)
            rows.append(CountedRow(key: key, counts: try MeasureCounts(row)))
        }
        return rows
    }

    /// The totals, from a separate query without a breakdown: the sum of the rows is checked against them.
    /// Without filters by traits, they come from the headline counters, whatever the rows were read from.
    func totals() throws(PostgresError) -> MeasureCounts {
        guard let row = try read(by: [], mostRows: nil).first else { return MeasureCounts() }
        return try MeasureCounts(row)
    }

    /// The counters of versions of the app that report arrivals, by the query's breakdown; without one, a single row.
    func capable() throws(PostgresError) -> [CountedRow] {
        var rows: [CountedRow] = []
        for row in try read(by: query.by, isCapable: true, mostRows: query.mostRows) {
            rows.append(CountedRow(key: try RowKey(row, by: query.by), counts: try MeasureCounts(row)))
        }
        return rows
    }

    private func read(
        by dimensions: [Dimension], isCapable: Bool = false, mostRows: Int?
    ) throws(PostgresError) -> PostgresRows {
        let needsSegments = isCapable || segmentIDs != nil || dimensions.contains(where: \.isTrait)
        return try connection.query(
            .Reports.counters,
            query.parameters(by: dimensions, segmentIDs: segmentIDs) + [
                .value(needsSegments), .value(isCapable),
            ],
            mostRows: mostRows)
    }
}
