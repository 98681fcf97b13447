internal import Access
public import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// One row of a report that is read from the counters.
public struct CountedRow: Hashable, Sendable {
    public let key: RowKey
    public let counts: MeasureCounts

    public init(key: RowKey, counts: MeasureCounts) {
        self.key = key
        self.counts = counts
    }
}

extension MeasureCounts {
    /// Reads the columns that are named after the measures.
    init(_ row: PostgresRow) throws(PostgresError) {
        self.init()
        for measure in Measure.allCases { self[measure] = try row.get(measure.rawValue) }
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
