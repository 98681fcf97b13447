internal import Access
public import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// One row of a report that is read from the counters.
public struct CountedRow: Hashable, Sendable {
    public let key: RowKey
    /// Measures that the report does not read are 0.
    public let counts: MeasureCounts

    public init(key: RowKey, counts: MeasureCounts) {
        self.key = key
        self.counts = counts
    }

    /// The rows of one question, broken down by the query's dimensions; none when it has none.
    static func read(
        _ file: SQLFile, _ query: ReportQuery, measures: [Measure], on connection: PostgresConnection
    ) throws(PostgresError) -> [CountedRow] {
        guard !query.by.isEmpty else { return [] }
        var rows: [CountedRow] = []
        for row in try connection.query(file, query.parameters(by: query.by)) {
            let key = try RowKey(row, by: query.by)
            rows.append(CountedRow(key: key, counts: try MeasureCounts(row, measures)))
        }
        return rows
    }

    /// The same question without a breakdown, which the database answers anew: the sum of the rows is checked
    /// against it.
    static func readTotals(
        _ file: SQLFile, _ query: ReportQuery, measures: [Measure], on connection: PostgresConnection
    ) throws(PostgresError) -> MeasureCounts {
        guard let row = try connection.query(file, query.parameters(by: [])).first else {
            return MeasureCounts()
        }
        return try MeasureCounts(row, measures)
    }
}

extension MeasureCounts {
    /// Reads the columns that are named after the measures.
    init(_ row: PostgresRow, _ measures: [Measure]) throws(PostgresError) {
        self.init()
        for measure in measures { self[measure] = try row.get(measure.rawValue) }
    }

    func member(_ measure: Measure) -> JSONValue.Member {
        .init(measure.rawValue, .integer(self[measure]))
    }
}

/// Notifications with device events but no provider answer (yet), of the whole app: no campaign is known
/// before the answer.
enum UnmatchedCount {
    static func read(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) -> Int64 {
        let window = query.window
        let rows = try connection.query(
            .Reports.unmatched,
            [.value(query.app.appID), .value(window.from), .value(window.to)])
        return try rows.first?.get("unmatched") ?? 0
    }
}
