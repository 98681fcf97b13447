internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// The counters of notifications to versions of the app that report arrivals (the view `reporting_version`).
struct CapableCounters {
    /// What is read; all other measures are 0.
    static let measures: [Measure] = [
        .accepted, .reportable, .arrivedReportable, .confirmedUnreported, .respondedReportable,
    ]

    /// By the query's breakdown; without one, all under the empty key.
    let rows: [RowKey: MeasureCounts]
    /// The sum of the rows: a notification is in one of them.
    let totals: MeasureCounts

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        let query = try query.clamped(on: connection)
        let segmentIDs = try query.segmentIDs(on: connection)
        let parameters = query.parameters(by: query.by, segmentIDs: segmentIDs)
        var rows: [RowKey: MeasureCounts] = [:]
        var totals = MeasureCounts()
        for row in try connection.query(.Reports.capableCounters, parameters, mostRows: query.mostRows) {
            let counts = try Self.counts(row)
            rows[try RowKey(row, by: query.by)] = counts
            totals += counts
        }
        self.rows = rows
        self.totals = totals
    }

    private static func counts(_ row: PostgresRow) throws(PostgresError) -> MeasureCounts {
        var counts = MeasureCounts()
        for measure in measures { counts[measure] = try row.get(measure.rawValue) }
        return counts
    }
}
