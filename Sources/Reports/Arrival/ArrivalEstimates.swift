internal import DeliveryModel
public import Instants
internal import PostgresClient
internal import SQLFiles

/// The estimates of a report: for its totals and for each row.
public struct ArrivalEstimates: Hashable, Sendable {
    /// Whether to read the estimates. The headline counters do not contain versions. Those by
    /// segment do, and are a hundred times as many.
    public enum Scope: Hashable, Sendable {
        /// Only windows of up to ``longestWindow``.
        case shortWindows
        case always
        case never

        func covers(_ query: ReportQuery) -> Bool {
            switch self {
            case .shortWindows: query.window.to - query.window.from <= ArrivalEstimates.longestWindow
            case .always: true
            case .never: false
            }
        }
    }

    /// A week, plus the extra hour when daylight saving time ends.
    public static let longestWindow = Span.hours(7 * 24 + 1)

    public let totals: ArrivalEstimate
    public let rows: [RowKey: ArrivalEstimate]

    public init(totals: ArrivalEstimate, rows: [RowKey: ArrivalEstimate] = [:]) {
        self.totals = totals
        self.rows = rows
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if the counters by
    ///   segment contradict those of the report, `PostgresError`.
    static func read(
        _ query: ReportQuery, rows: [CountedRow], totals: MeasureCounts, on connection: PostgresConnection
    ) throws -> ArrivalEstimates {
        let capable = try CapableCounters(query, on: connection)
        try check(capable.totals, against: totals, place: "the totals")
        var estimates: [RowKey: ArrivalEstimate] = [:]
        for row in rows {
            let counts = capable.rows[row.key] ?? MeasureCounts()
            try check(counts, against: row.counts, place: row.key.inWords)
            estimates[row.key] = ArrivalEstimate(accepted: row.counts[.accepted], capable: counts)
        }
        return ArrivalEstimates(
            totals: ArrivalEstimate(accepted: totals[.accepted], capable: capable.totals), rows: estimates)
    }

    /// Notifications to some versions are a part of those to all.
    private static func check(
        _ capable: MeasureCounts, against all: MeasureCounts, place: String
    ) throws(ReportError) {
        let rules = AddingUp(report: Funnel.name)
        for measure in CapableCounters.measures {
            try rules.require(
                capable[measure], <=, all[measure],
                "\(measure.rawValue) of versions that report ≤ \(measure.rawValue)", place)
        }
        let estimate = ArrivalEstimate(accepted: all[.accepted], capable: capable)
        try rules.check(estimate.arrivalCapable, "arrival_capable", place: place)
        try rules.check(estimate.coverage, "coverage", place: place)
        try rules.check(estimate.receiptLoss, "receipt_loss", place: place)
    }
}

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
