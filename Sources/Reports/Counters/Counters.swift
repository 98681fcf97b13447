internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Where a query's counters are read: the headline ones unless only those by segment know the answer.
struct Counters {
    private let query: ReportQuery
    private let connection: PostgresConnection
    private let segmentIDs: [Int64]?

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        self.query = try query.clamped(on: connection)
        self.connection = connection
        self.segmentIDs = try query.segmentIDs(on: connection)
    }

    /// Broken down by the query's dimensions; none when it has none.
    ///
    /// - Parameter most: when there are more, ``PostgresError/tooManyRows(statement:most:)``; nil takes as many as the asker does.
    func rows(most: Int? = nil) throws(PostgresError) -> [CountedRow] {
        guard !query.by.isEmpty else { return [] }
        var rows: [CountedRow] = []
        for row in try read(by: query.by, mostRows: most ?? query.mostRows) {
            let key = try RowKey(row, by: query.by)
            rows.append(CountedRow(key: key, counts: try MeasureCounts(row)))
        }
        return rows
    }

    /// The same question without a breakdown, which the database answers anew: the sum of the rows is checked
    /// against it. Without filters by traits the headline counters answer it, whatever the rows were read from.
    func totals() throws(PostgresError) -> MeasureCounts {
        guard let row = try read(by: [], mostRows: nil).first else { return MeasureCounts() }
        return try MeasureCounts(row)
    }

    /// Of versions of the app that report arrivals, with the query's breakdown; without one, one row.
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
