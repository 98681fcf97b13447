public import DeliveryModel
public import PostgresClient

/// The durations from sending to arrival, and from arrival to click.
public struct LatencyReport: SheetReport, Hashable {
    /// The stages of one key, or of all. If nothing is known, the histogram is empty.
    public struct Stages: Hashable, Sendable {
        /// From sending to the arrival that the extension posts.
        public internal(set) var arrival = LatencyHistogram()
        /// From that arrival to the click.
        public internal(set) var click = LatencyHistogram()
        /// Arrivals without a time from the device: the time of receipt is used instead.
        public internal(set) var arrivalsByReceipt: Int64 = 0
        /// Clicks for which at least one of the two times is that of receipt.
        public internal(set) var clicksByReceipt: Int64 = 0

        /// The number of notifications in a stage for which at least one time is that of receipt.
        public func byReceipt(_ stage: LatencyStage) -> Int64 {
            switch stage {
            case .arrival: arrivalsByReceipt
            case .click: clicksByReceipt
            }
        }

        public subscript(stage: LatencyStage) -> LatencyHistogram {
            switch stage {
            case .arrival: arrival
            case .click: click
            }
        }
    }

    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let stages: Stages
    }

    public var frame: ReportFrame
    /// The rows by time, or else the largest first; none without a breakdown.
    public var rows: [Row]
    public let totals: Stages
    /// The counters of the funnel: some arrivals and clicks have no known times.
    public let counts: MeasureCounts
    public let unmatched: UnmatchedCounts
    public internal(set) var completeness: Completeness?
    public var comparison: ReportComparison?

    /// The maximum error of a quantile, as a fraction of it.
    public static let relativeError = 0.049

    public var isEmpty: Bool { counts.isZero && unmatched.isZero }

    /// Reads the counters in one snapshot, or the notifications if the query uses a trait. The work
    /// then grows with the notifications in the window.
    ///
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)`` if the query uses a
    ///   trait and some of the app's notifications in the window are no longer kept,
    ///   ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> LatencyReport
    {
        try connection.snapshot {
            if query.needsSegments {
                try KeptNotifications(of: query, heldOn: connection)
                    .check("latency by what is known of the push")
            }
            var report = try compared(query) { try counted($0, on: connection, now: now) }
            report.completeness = try Completeness.read(
                query, accepted: report.counts[.accepted], asOf: now, on: connection)
            return report
        }
    }

    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws -> LatencyReport {
        let reading = try LatencyReading(query, on: connection)
        return try LatencyReport(
            frame: ReportFrame(report: "latency", query: query, unit: .notifications, asOf: now),
            rows: reading.rows(), totals: reading.totals(),
            counts: Counters(query, on: connection).totals(),
            unmatched: UnmatchedCounts.read(query, on: connection))
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(frame: ReportFrame, rows: [Row], totals: Stages, counts: MeasureCounts, unmatched: UnmatchedCounts)
        throws(ReportError)
    {
        self.frame = frame
        self.rows = rows
        self.totals = totals
        self.counts = counts
        self.unmatched = unmatched
        try checkAddsUp()
    }

    /// Checks that rows add up to the totals, bucket by bucket, and only events that happened have times.
    private func checkAddsUp() throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        let (arrivals, clicks) = (totals.arrival.count, totals.click.count)
        try rules.require(arrivals, <=, counts[.arrived], "arrival ≤ arrived")
        try rules.require(clicks, <=, counts[.clicked], "click ≤ clicked")
        try rules.require(clicks, <=, arrivals, "click ≤ arrival")
        guard !frame.query.by.isEmpty else { return }
        for stage in LatencyStage.allCases {
            var sums: [LatencyBucket: Int64] = [:]
            for entry in totals[stage].entries { sums[entry.bucket] = -entry.notifications }
            for entry in rows.flatMap({ $0.stages[stage].entries }) {
                sums[entry.bucket, default: 0] += entry.notifications
            }
            for (bucket, difference) in sums {
                let total = totals[stage].entries.first { $0.bucket == bucket }?.notifications ?? 0
                try rules.require(
                    total, ==, total + difference, "\(stage.rawValue) from \(bucket.from) ms = Σ rows")
            }
        }
    }
}

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
        let all: [LatencyBucket] = try connection.query(.Reports.latencyBuckets).decode()
        buckets = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The rows by the query's dimensions; none if it has no breakdown.
    func rows() throws(PostgresError) -> [LatencyReport.Row] {
        query.by.isEmpty ? [] : try read(by: query.by)
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
