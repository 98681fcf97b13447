internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// The counters of notifications to versions of the app that report arrivals (the view `reporting_version`).
struct CapableCounters {
    /// The measures that estimates are computed from.
    static let measures: [Measure] = [
        .accepted, .reportable, .arrivedReportable, .confirmedUnreported, .respondedReportable,
    ]

    /// The rows by the query's breakdown; without one, a single row under the empty key.
    private(set) var rows: [RowKey: MeasureCounts] = [:]
    /// The sum of the rows: each notification is in exactly one of them.
    private(set) var totals = MeasureCounts()

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        for row in try Counters(query, on: connection).capable() {
            rows[row.key] = row.counts
            totals += row.counts
        }
    }
}
