public import DeliveryModel
public import Instants
public import PostgresClient

/// Why pushes were rejected: status, reason and class, by what is known about push and target.
public struct RejectionsReport: Report, Hashable {
    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let answer: RejectedAnswer
        /// Notifications for which this answer counts: the most final one, where none was accepted.
        public let rejected: Int64
        /// Of all that were attempted under the same key.
        public let share: Proportion

        public init(key: RowKey, answer: RejectedAnswer, rejected: Int64, attempted: Int64) {
            self.key = key
            self.answer = answer
            self.rejected = rejected
            self.share = Proportion(rejected, of: attempted)
        }
    }

    /// What the counters of the funnel say under one key.
    struct Attempts: Hashable, Sendable {
        let attempted: Int64
        let rejected: Int64
    }

    /// A query without a breakdown is asked by ``standardBreakdown``, and says so.
    public internal(set) var frame: ReportFrame
    /// By time, then the most frequent first.
    public internal(set) var rows: [Row]
    /// Of every key under which something was sent, also where nothing was rejected.
    let attempts: [RowKey: Attempts]
    public let totals: MeasureCounts
    /// Of the whole app in this window, whatever campaigns were kept.
    public let unmatched: UnmatchedCounts
    /// Of all answers of a key together, where something was rejected in either window. Nil unless the query names another
    /// window.
    public internal(set) var comparison: ReportComparison?

    /// Tells builds and their credentials apart.
    public static let standardBreakdown: [Dimension] = [.topic, .environment, .appVersion]

    public var rejected: Int64 { totals[.attempted] - totals[.accepted] }
    public var share: Proportion { Proportion(rejected, of: totals[.attempted]) }
    public var isEmpty: Bool { totals.isZero && unmatched.isZero }

    /// Asks the counters, in one snapshot.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` when the answers do not sum up to what the
    ///   funnel calls rejected, `PostgresError`.
    public static func run(_ query: ReportQuery, on connection: PostgresConnection, now: Instant) throws
        -> RejectionsReport
    {
        try connection.snapshot {
            var report = try counted(query, on: connection, now: now)
            if let window = query.comparison {
                let before = try counted(query.with(window: window), on: connection, now: now)
                report.comparison = report.compared(with: before)
            }
            return report
        }
    }

    /// Without what stands beside it.
    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws -> RejectionsReport {
        let reading = try RejectionsReading(query, on: connection)
        return try RejectionsReport(
            frame: ReportFrame(
                report: "rejections", query: reading.query, unit: .notifications, asOf: now),
            counted: reading.counted(), attempts: reading.attempts(), totals: reading.totals(),
            unmatched: UnmatchedCounts.read(query, on: connection))
    }

    /// - Parameters:
    ///   - counted: keys and answers with how many notifications were rejected.
    ///   - attempts: what the counters of the funnel say under the same keys.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose
    ///   numbers contradict each other.
    init(
        frame: ReportFrame, counted: [(key: RowKey, answer: RejectedAnswer, rejected: Int64)],
        attempts: [RowKey: Attempts], totals: MeasureCounts, unmatched: UnmatchedCounts
    ) throws(ReportError) {
        self.frame = frame
        self.rows = counted.map { row in
            Row(
                key: row.key, answer: row.answer, rejected: row.rejected,
                attempted: attempts[row.key]?.attempted ?? 0)
        }
        self.attempts = attempts
        self.totals = totals
        self.unmatched = unmatched
        try checkAddsUp()
    }

    /// The answers of each key are all that its funnel calls rejected, and so are those of all keys together.
    private func checkAddsUp() throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        try rules.check(totals, place: "the totals")
        var sums: [RowKey: Int64] = attempts.mapValues { _ in 0 }
        for row in rows { sums[row.key, default: 0] += row.rejected }
        for (key, sum) in sums {
            let rejected = attempts[key]?.rejected ?? 0
            try rules.require(rejected == sum, "rejected = Σ responses", rejected, sum, key.inWords)
        }
        for row in rows { try rules.check(row.share, "share", place: row.key.inWords) }
        let sum = rows.reduce(0) { $0 + $1.rejected }
        try rules.require(rejected == sum, "rejected = Σ responses", rejected, sum, "the totals")
    }
}
