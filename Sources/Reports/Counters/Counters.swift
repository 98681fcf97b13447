internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Reads the counters of a query: the headline counters, unless only those by segment contain the result.
struct Counters {
    /// The query, limited to the span in which there are counters.
    let query: ReportQuery
    /// The segments that the filters select; `nil` if no filter is about segments.
    let segmentIDs: [Int64]?
    private let connection: PostgresConnection

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

    /// The rows, each with the rejected notifications by the id of their response.
    ///
    /// - Parameter most: as in ``rows(most:)``.
    func rowsWithResponses(most: Int?) throws(PostgresError) -> [(row: CountedRow, rejected: [Int64: Int64])]
    {
        var rows: [(row: CountedRow, rejected: [Int64: Int64])] = []
        for row in try read(by: query.by, isByResponse: true, mostRows: most) {
            let responses: [Int64] = try row.getArray("responses")
            let notifications: [Int64] = try row.getArray("notifications")
            let rejected = zip(responses, notifications).filter { $0.0 != 0 }
            rows.append(
                (
                    CountedRow(key: try RowKey(row, by: query.by), counts: try MeasureCounts(row)),
                    Dictionary(rejected, uniquingKeysWith: +)
                ))
        }
        return rows
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
        by dimensions: [Dimension], isCapable: Bool = false, isByResponse: Bool = false, mostRows: Int?
    ) throws(PostgresError) -> PostgresRows {
        let traits = dimensions.filter(\.isTrait)
        let needsSegments = isCapable || isByResponse || segmentIDs != nil || !traits.isEmpty
        return try connection.query(
            .Reports.counters,
            query.parameters(by: dimensions, segmentIDs: segmentIDs) + [
                .value(traits.dropFirst(2).first?.rawValue), .value(needsSegments), .value(isCapable),
                .value(isByResponse),
            ],
            mostRows: mostRows)
    }
}
