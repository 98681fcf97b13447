public import DeliveryModel
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

        fileprivate var figures: Figures {
            Figures(
                counts: [.init("attempted", attempted), .init("rejected", rejected)],
                rates: [.init("share", Proportion(rejected, of: attempted))])
        }
    }

    /// A query without a breakdown is asked by ``standardBreakdown``, and says so.
    public let frame: ReportFrame
    /// By time, then the most frequent first.
    public let rows: [Row]
    public let totals: MeasureCounts
    /// Of the whole app in this window, whatever campaigns were kept.
    public let unmatched: Int64
    /// Of all answers of a key together. Nil unless the query names another window.
    public private(set) var comparison: ReportComparison?

    /// Tells builds and their credentials apart.
    public static let standardBreakdown: [Dimension] = [.topic, .environment, .appVersion]

    public var rejected: Int64 { totals[.attempted] - totals[.accepted] }
    public var share: Proportion { Proportion(rejected, of: totals[.attempted]) }
    public var isEmpty: Bool { totals.isZero && unmatched == 0 }

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
                report.comparison = ReportComparison(now: report.side, before: before.side)
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
            unmatched: UnmatchedCount.read(query, on: connection))
    }

    /// What `--compare` compares.
    private var side: ReportComparison.Side {
        var keys: [RowKey] = []
        var counted: [RowKey: Attempts] = [:]
        for row in rows {
            if counted[row.key] == nil { keys.append(row.key) }
            counted[row.key] = Attempts(
                attempted: row.share.denominator,
                rejected: row.rejected + (counted[row.key]?.rejected ?? 0))
        }
        let all = Attempts(attempted: totals[.attempted], rejected: rejected)
        return ReportComparison.Side(
            query: frame.query,
            rows: keys.map { (key: $0, figures: (counted[$0] ?? all).figures) }, totals: all.figures)
    }

    /// - Parameters:
    ///   - counted: keys and answers with how many notifications were rejected.
    ///   - attempts: what the counters of the funnel say under the same keys.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose
    ///   numbers contradict each other.
    init(
        frame: ReportFrame, counted: [(key: RowKey, answer: RejectedAnswer, rejected: Int64)],
        attempts: [RowKey: Attempts], totals: MeasureCounts, unmatched: Int64
    ) throws(ReportError) {
        self.frame = frame
        self.rows = counted.map { row in
            Row(
                key: row.key, answer: row.answer, rejected: row.rejected,
                attempted: attempts[row.key]?.attempted ?? 0)
        }
        self.totals = totals
        self.unmatched = unmatched
        try checkAddsUp(attempts)
    }

    /// The answers of each key are all that its funnel calls rejected, and so are those of all keys together.
    private func checkAddsUp(_ attempts: [RowKey: Attempts]) throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        try rules.check(totals, place: "the totals")
        var sums: [RowKey: Int64] = attempts.mapValues { _ in 0 }
        for row in rows { sums[row.key, default: 0] += row.rejected }
        for (key, sum) in sums {
            let rejected = attempts[key]?.rejected ?? 0
            try rules.require(rejected == sum, "rejected = Σ answers", rejected, sum, key.inWords)
        }
        let sum = rows.reduce(0) { $0 + $1.rejected }
        try rules.require(rejected == sum, "rejected = Σ answers", rejected, sum, "the totals")
    }

    /// The shape all reports have; each row says which answer it is about and what to do about it.
    public var document: JSONValue {
        .object(
            frame.members + [
                .init("rows", .array(rows.map(Self.json))),
                .init(
                    "totals",
                    [
                        "counts": [
                            "attempted": .integer(totals[.attempted]), "rejected": .integer(rejected),
                        ],
                        "rates": ["share": share.json],
                    ]),
                .init("unmatched", .integer(unmatched)),
            ] + (comparison.map { [.init("comparison", $0.json(in: frame.query.timeZone))] } ?? []))
    }

    private static func json(_ row: Row) -> JSONValue {
        [
            "key": row.key.json,
            "counts": ["rejected": .integer(row.rejected)],
            "answer": row.answer.json,
            "rates": ["share": row.share.json],
            "advice": row.answer.adviceJSON,
        ]
    }
}
