public import DeliveryModel
public import PostgresClient

/// The reasons why pushes were rejected: status, reason and class, by the traits of push and target.
public struct RejectionsReport: SheetReport, Hashable {
    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let response: RejectedResponse
        /// Notifications for which this response counts: the most final one, if none was accepted.
        public let rejected: Int64
        /// The share of all attempts under the same key.
        public let share: Proportion

        public init(key: RowKey, response: RejectedResponse, rejected: Int64, attempted: Int64) {
            self.key = key
            self.response = response
            self.rejected = rejected
            self.share = Proportion(rejected, of: attempted)
        }
    }

    /// The counters of the funnel under one key.
    struct Attempts: Hashable, Sendable {
        let attempted: Int64
        let rejected: Int64

        static func += (left: inout Self, right: Self) {
            left = Self(
                attempted: left.attempted + right.attempted, rejected: left.rejected + right.rejected)
        }
    }

    /// The notifications under one key that one response rejected.
    typealias Tally = (key: RowKey, response: RejectedResponse, rejected: Int64)

    /// A query without a breakdown gets the ``standardBreakdown``, and the frame states that.
    public var frame: ReportFrame
    /// The rows by time, then the most frequent first.
    public var rows: [Row]
    /// The attempts of every key under which something was sent, including keys without a rejection.
    let attempts: [RowKey: Attempts]
    public let totals: MeasureCounts
    public let unmatched: UnmatchedCounts
    /// The comparison of all responses of a key together, if something was rejected in either window. `nil`
    /// unless the query names another window.
    public var comparison: ReportComparison?

    /// Distinguishes builds and their credentials.
    public static let standardBreakdown: [Dimension] = [.topic, .environment, .appVersion]

    public var rejected: Int64 { totals[.attempted] - totals[.accepted] }
    public var share: Proportion { Proportion(rejected, of: totals[.attempted]) }
    public var isEmpty: Bool { totals.isZero && unmatched.isZero }

    /// Reads the counters in one snapshot.
    ///
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if the responses do
    ///   not add up to the rejected notifications of the funnel, `PostgresError`.
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

    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant
    ) throws -> RejectionsReport {
        let reading = try RejectionsReading(query, on: connection)
        let (counted, attempts) = try reading.read()
        return try RejectionsReport(
            frame: ReportFrame(
                report: "rejections", query: reading.counters.query, unit: .notifications, asOf: now),
            counted: counted, attempts: attempts, totals: reading.counters.totals(),
            unmatched: UnmatchedCounts.read(query, on: connection))
    }

    /// - Parameters:
    ///   - counted: keys and responses with the number of rejected notifications.
    ///   - attempts: the counters of the funnel under the same keys.
    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(
        frame: ReportFrame, counted: [Tally],
        attempts: [RowKey: Attempts], totals: MeasureCounts, unmatched: UnmatchedCounts
    ) throws(ReportError) {
        self.frame = frame
        self.rows = counted.map { row in
            Row(
                key: row.key, response: row.response, rejected: row.rejected,
                attempted: attempts[row.key]?.attempted ?? 0)
        }
        self.attempts = attempts
        self.totals = totals
        self.unmatched = unmatched
        try checkAddsUp()
    }

    /// Checks that the responses of each key, and of all keys, add up to the funnel's rejected notifications.
    private func checkAddsUp() throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        try rules.check(totals, place: "the totals")
        var sums: [RowKey: Int64] = attempts.mapValues { _ in 0 }
        for row in rows { sums[row.key, default: 0] += row.rejected }
        for (key, sum) in sums {
            let rejected = attempts[key]?.rejected ?? 0
            try rules.require(rejected, ==, sum, "rejected = Σ responses", key.inWords)
        }
        for row in rows { try rules.check(row.share, "share", place: row.key.inWords) }
        let sum = rows.reduce(0) { $0 + $1.rejected }
        try rules.require(rejected, ==, sum, "rejected = Σ responses")
    }
}

extension RejectionsReport.Attempts {
    init(_ counts: MeasureCounts) {
        self.init(attempted: counts[.attempted], rejected: counts.rejected)
    }
}

// MARK: - Comparison

extension RejectionsReport {
    /// Compares the windows by key, with all responses of a key together. If a key has no rejection in one
    /// window, it is compared with its attempts there; keys without a rejection in both windows are omitted.
    func compared(with before: RejectionsReport) -> ReportComparison {
        var comparison = ReportComparison(now: side, before: before.side)
        comparison.rows.removeAll { row in
            !row.change.counts.contains { $0.id == "rejected" && ($0.before != 0 || $0.now != 0) }
        }
        return comparison
    }

    var side: ReportComparison.Side {
        let fields: [SheetField<Attempts>] = [
            .count("attempted") { $0.attempted }, .count("rejected") { $0.rejected },
            SheetField(SheetColumn("share", .rate)) { .rate(Proportion($0.rejected, of: $0.attempted)) },
        ]
        let rows = keys.map { (key: $0, subject: attempts[$0] ?? Attempts(attempted: 0, rejected: 0)) }
        return Sheet("Rejections", frame, fields, rows: rows, totals: Attempts(totals)).side
    }

    /// The keys with rejections in the order of the rows, then the others; by time if broken down by it.
    private var keys: [RowKey] {
        var keys: [RowKey] = []
        var known: Set<RowKey> = []
        let others = attempts.keys.sorted { $0.inWords < $1.inWords }
        for key in rows.map(\.key) + others where known.insert(key).inserted { keys.append(key) }
        guard let position = frame.query.by.firstIndex(where: \.isPeriod) else { return keys }
        return keys.enumerated().sorted { left, right in
            (Self.time(left.element.parts[position]), left.offset)
                < (Self.time(right.element.parts[position]), right.offset)
        }.map(\.element)
    }

    /// In UTC if it is an hour: when daylight saving time ends, the offsets of equal hours sort wrongly.
    private static func time(_ part: RowKey.Part) -> String {
        let value = part.value ?? ""
        return Instant(rfc3339: value)?.rfc3339 ?? value
    }
}

/// Reads from the database why notifications were rejected.
struct RejectionsReading {
    private let connection: PostgresConnection
    /// Their query has the standard breakdown if it had none.
    let counters: Counters

    init(_ query: ReportQuery, on connection: PostgresConnection) throws(PostgresError) {
        counters = try Counters(
            query.by.isEmpty ? query.cut(by: RejectionsReport.standardBreakdown) : query, on: connection)
        self.connection = connection
    }

    /// Shares are of all attempts under a key, and more of these keys are read than the report has
    /// rows: at most this many for each row that it may have.
    private static let keysOfRow = 10

    /// The rejected notifications of each key and response, by time, then the most frequent first; and the
    /// attempts of each key, including keys without a rejection: there may be many of these.
    ///
    /// - Throws: ``ReportError/tooManyKeys(_:)``, `PostgresError`.
    func read() throws -> (counted: [RejectionsReport.Tally], attempts: [RowKey: RejectionsReport.Attempts]) {
        let found = try rowsByResponse()
        var attempts: [RowKey: RejectionsReport.Attempts] = [:]
        for (row, _) in found { attempts[row.key, default: .init(MeasureCounts())] += .init(row.counts) }
        let rejected = found.filter { $0.responseID != 0 }
        if let most = counters.query.mostRows, rejected.count > most {
            throw PostgresError.tooManyRows(statement: SQLFile.Reports.counters.name, most: most)
        }
        let responses = try responses(Set(rejected.map(\.responseID)))
        var counted: [(period: Int, row: RejectionsReport.Tally)] = []
        var (period, position) = (rejected.first?.row.key.period, 0)
        for (row, id) in rejected {
            if row.key.period != period { (period, position) = (row.key.period, position + 1) }
            guard let response = responses[id] else {
                throw PostgresError.unexpectedResult(
                    statement: SQLFile.Reports.responses.name, detail: "no response \(id)")
            }
            counted.append((position, (row.key, response, RejectionsReport.Attempts(row.counts).rejected)))
        }
        counted.sort { left, right in
            if left.period != right.period { return left.period < right.period }
            if left.row.rejected != right.row.rejected { return left.row.rejected > right.row.rejected }
            if left.row.key != right.row.key { return left.row.key.inWords < right.row.key.inWords }
            return left.row.response.words < right.row.response.words
        }
        return (counted.map(\.row), attempts)
    }

    private func rowsByResponse() throws -> [(row: CountedRow, responseID: Int64)] {
        let most = counters.query.mostRows.map { $0 * Self.keysOfRow }
        do {
            return try counters.rowsByResponse(most: most)
        } catch {
            guard let most, case .tooManyRows = error else { throw error }
            throw ReportError.tooManyKeys(most)
        }
    }

    private func responses(_ ids: Set<Int64>) throws(PostgresError) -> [Int64: RejectedResponse] {
        var responses: [Int64: RejectedResponse] = [:]
        for row in try connection.query(.Reports.responses, [.array(Array(ids))]) {
            responses[try row.get("response_id")] = try row.decode(RejectedResponse.self)
        }
        return responses
    }
}
