public import DeliveryModel
public import PostgresClient

/// The numbers of distinct installations that were targeted, reached and engaged, counted from the
/// notifications themselves or, for long windows, from sketches of them.
public struct ReachReport: SheetReport, Hashable {
    public struct Counts: Hashable, Decodable, Sendable {
        /// Installations with an attempted notification.
        public let targeted: Int64
        /// Installations with a confirmed notification.
        public let reached: Int64
        /// Installations with a click.
        public let engaged: Int64
        /// Notifications that name neither token nor installation: broadcast channels. They have no
        /// installation to count.
        public let withoutTarget: Int64
        /// The standard error of the three distinct counts; `nil` if they are exact, as small
        /// counts are even in a report of estimates.
        fileprivate(set) var standardError: Double?

        private enum CodingKeys: CodingKey {
            case targeted, reached, engaged, withoutTarget
        }

        public var reach: Proportion {
            Proportion(reached, of: targeted, relativeError: shareError)
        }

        /// The share of the reached installations.
        public var engagement: Proportion {
            Proportion(engaged, of: reached, relativeError: shareError)
        }

        /// A ratio of two estimates has the errors of both. They are correlated, because they are
        /// based on the same hashes, so this is the maximum.
        private var shareError: Double { (standardError ?? 0) * 2.0.squareRoot() }

        fileprivate func within(_ standardError: Double?) -> Self {
            var counts = self
            counts.standardError = targeted > HyperLogLog.mostExact ? standardError : nil
            return counts
        }
    }

    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let counts: Counts
    }

    public var frame: ReportFrame
    /// One for each key of the breakdown: by time, or else the largest first; none without a breakdown.
    public var rows: [Row]
    /// Distinct over the whole window: an installation that was reached on two days counts once.
    public let totals: Counts
    /// Installations that could be shown a notification at `audienceAsOf`, whatever the end of the window
    /// (docs/decisions/0030).
    public let audience: Int64
    /// The part of the audience that was reached in the window. Others that were reached have left the
    /// audience since. `nil` if sketches were used: they cannot tell which of them are still in the audience.
    public let audienceReached: Int64?
    /// The instant `frame.asOf`; if sketches were used, up to two hours earlier.
    public let audienceAsOf: Instant
    /// Notifications of the whole app in this window, whatever campaigns the query selects.
    public let unmatched: UnmatchedCounts
    /// The relative standard error of the distinct counts: two of three estimates are within it,
    /// and 95 of 100 within twice of it. `nil` if they are exact.
    public let standardError: Double?
    /// The completeness of notifications, as in all reports. `nil` if not read from a database.
    public internal(set) var completeness: Completeness?
    public var comparison: ReportComparison?

    /// `nil` if sketches were used.
    public var audienceReach: Proportion? { audienceReached.map { Proportion($0, of: audience) } }

    public var isEmpty: Bool { totals.targeted == 0 && totals.withoutTarget == 0 && unmatched.isZero }

    /// Reads the notifications, or their sketches if these contain the result, in one snapshot.
    ///
    /// - Parameter exactly: whether to count the notifications themselves. The work grows with their number.
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)`` if some of the app's
    ///   notifications in the window are no longer kept,
    ///   ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
    public static func run(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant, exactly: Bool = false
    ) throws -> ReachReport {
        try connection.snapshot {
            try KeptNotifications(of: query, heldOn: connection).check("reach")
            var report = try counted(query, on: connection, now: now, exactly: exactly)
            report.completeness = try Completeness.read(
                query, accepted: Counters(query, on: connection).totals()[.accepted], asOf: now,
                on: connection)
            if let window = query.comparison {
                // An exact count is not compared with an estimate, because the report would not show that.
                let before = try counted(
                    query.with(window: window), on: connection, now: now,
                    exactly: report.standardError == nil,
                    audience: Audience(count: report.audience, asOf: report.audienceAsOf))
                report.comparison = ReportComparison(now: report.side, before: before.side)
            }
            return report
        }
    }

    ///
    /// - Parameter audience: `nil` to count it.
    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant, exactly: Bool,
        audience known: Audience? = nil
    ) throws -> ReachReport {
        let isSketched = try !exactly && ReachSketches.response(query, on: connection)
        let figures =
            isSketched
            ? try ReachFigures(sketched: query, on: connection)
            : try ReachFigures(exactly: query, on: connection)
        let audience =
            if let known {
                known
            } else if isSketched {
                try Audience.recent(of: query.app, on: connection, now: now)
            } else {
                try Audience.reached(by: query, on: connection, now: now)
            }
        return try ReachReport(
            frame: ReportFrame(report: "reach", query: query, unit: .installations, asOf: now),
            rows: figures.rows, totals: figures.totals, audience: audience.count,
            unmatched: UnmatchedCounts.read(query, on: connection), audienceAsOf: audience.asOf,
            audienceReached: audience.reached, standardError: figures.standardError)
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: no such value can exist.
    init(
        frame: ReportFrame, rows: [Row], totals: Counts, audience: Int64, unmatched: UnmatchedCounts,
        audienceAsOf: Instant? = nil, audienceReached: Int64? = nil, standardError: Double? = nil
    ) throws(ReportError) {
        self.frame = frame
        self.rows = rows.map { Row(key: $0.key, counts: $0.counts.within(standardError)) }
        self.totals = totals.within(standardError)
        self.audience = audience
        self.audienceReached = audienceReached
        self.audienceAsOf = audienceAsOf ?? frame.asOf
        self.unmatched = unmatched
        self.standardError = standardError
        try checkAddsUp()
    }
}

extension ReachReport {
    /// Checks that every installation that clicked was reached, and that every one that was reached was
    /// targeted; that the part of the audience that was reached is at most the audience, and at most all that
    /// were reached; and that the distinct total is between the largest row and the sum of all rows.
    func checkAddsUp() throws(ReportError) {
        let rules = AddingUp(report: frame.report)
        try check(totals, place: "the totals", rules)
        for row in rows { try check(row.counts, place: row.key.inWords, rules) }
        if let audienceReach {
            try rules.check(audienceReach, "audience_reach", place: "the totals")
            try rules.require(
                audienceReach.numerator, <=, totals.reached, "reached of the audience ≤ reached")
        }
        guard !frame.query.by.isEmpty else { return }
        try checkDistinct(\.targeted, "targeted", rules)
        try checkDistinct(\.reached, "reached", rules)
        try checkDistinct(\.engaged, "engaged", rules)
    }

    private func check(_ counts: Counts, place: String, _ rules: AddingUp) throws(ReportError) {
        try rules.require(counts.engaged, <=, counts.reached, "engaged ≤ reached", place)
        try rules.require(counts.reached, <=, counts.targeted, "reached ≤ targeted", place)
        try rules.check(counts.reach, "reach", place: place)
        try rules.check(counts.engagement, "engagement", place: place)
    }

    private func checkDistinct(
        _ count: KeyPath<Counts, Int64>, _ name: String, _ rules: AddingUp
    ) throws(ReportError) {
        let total = totals[keyPath: count]
        let sum = rows.reduce(0) { $0 + $1.counts[keyPath: count] }
        try rules.require(total, isPart, sum, "\(name) ≤ Σ rows")
        for row in rows {
            try rules.require(
                row.counts[keyPath: count], isPart, total, "\(name) ≤ \(name) of the totals", row.key.inWords)
        }
    }

    /// Two estimates may deviate, each by four standard errors, which happens once in 16,000 times.
    private func isPart(_ part: Int64, of whole: Int64) -> Bool {
        part <= whole + Int64((Double(whole) * 8 * (standardError ?? 0)).rounded(.up))
    }
}
