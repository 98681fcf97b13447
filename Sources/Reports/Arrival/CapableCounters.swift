internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// The counters of notifications to versions of the app that have ever reported an arrival.
struct CapableCounters {
    /// What is read; all other measures are 0.
    static let measures: [Measure] = [
        .accepted, .reportable, .arrivedReportable, .confirmedUnreported, .respondedReportable,
    ]

    let rows: [RowKey: MeasureCounts]
    let totals: MeasureCounts

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        let query = try query.clamped(on: connection)
        let segmentIDs = try query.segmentIDs(on: connection)
        var rows: [RowKey: MeasureCounts] = [:]
        if !query.by.isEmpty {
            let parameters = query.parameters(by: query.by, segmentIDs: segmentIDs)
            let found = try connection.query(.Reports.capableCounters, parameters, mostRows: query.mostRows)
            for row in found {
                rows[try RowKey(row, by: query.by)] = try Self.counts(row)
            }
        }
        let parameters = query.parameters(by: [], segmentIDs: segmentIDs)
        let total = try connection.query(.Reports.capableCounters, parameters).first
        var totals = MeasureCounts()
        if let total { totals = try Self.counts(total) }
        self.rows = rows
        self.totals = totals
    }

    private static func counts(_ row: PostgresRow) throws(PostgresError) -> MeasureCounts {
        var counts = MeasureCounts()
        for measure in measures { counts[measure] = try row.get(measure.rawValue) }
        return counts
    }
}
