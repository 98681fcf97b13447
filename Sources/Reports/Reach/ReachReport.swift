public import DeliveryModel
public import Instants
public import PostgresClient

/// How many installations were aimed at, reached and engaged. Distinct; counted from the notifications themselves, or for
/// long windows from sketches of them.
public struct ReachReport: Report, Hashable {
    public struct Counts: Hashable, Sendable {
        /// Installations with an attempted notification.
        public let targeted: Int64
        /// Installations with a confirmed notification.
        public let reached: Int64
        /// Installations with a click.
        public let engaged: Int64
        /// Notifications that name neither token nor installation: broadcast channels. They have nobody to
        /// count.
        public let withoutTarget: Int64
        /// Of the three distinct counts; nil where they are exact, as those of few are also in a report of estimates.
        fileprivate(set) var standardError: Double?

        public init(targeted: Int64, reached: Int64, engaged: Int64, withoutTarget: Int64) {
            self.targeted = targeted
            self.reached = reached
            self.engaged = engaged
            self.withoutTarget = withoutTarget
        }

        public var reach: Proportion {
            Proportion(reached, of: targeted, relativeError: Self.error(ofShare: standardError))
        }

        /// Of those reached.
        public var engagement: Proportion {
            Proportion(engaged, of: reached, relativeError: Self.error(ofShare: standardError))
        }

        /// A share of two estimates is off by both. Theirs go the same way a bit, being made of the same hashes, so this is the
        /// most it can be.
        private static func error(ofShare standardError: Double?) -> Double {
            (standardError ?? 0) * 2.0.squareRoot()
        }

        fileprivate func within(_ standardError: Double?) -> Self {
            var counts = self
            counts.standardError = targeted > HyperLogLog.mostExact ? standardError : nil
            return counts
        }
    }

    public struct Row: Hashable, Sendable {
        public let key: RowKey
        public let counts: Counts

        public init(key: RowKey, counts: Counts) {
            self.key = key
            self.counts = counts
        }
    }

    public internal(set) var frame: ReportFrame
    /// One for each key of the breakdown, by time or else the largest first; none without a breakdown.
    public internal(set) var rows: [Row]
    /// Distinct over the whole window: an installation that was reached on two days counts once.
    public let totals: Counts
    /// Installations that could be shown a notification at `audienceAsOf`, whenever the window ends
    /// (docs/decisions/0030).
    public let audience: Int64
    /// Those of the audience who were reached in the window. The others who were reached have left it since. Nil where sketches
    /// answered: they cannot say who of them is still there.
    public let audienceReached: Int64?
    /// The same as `frame.asOf`, but where sketches answered, up to two hours earlier.
    public let audienceAsOf: Instant
    /// Notifications, of the whole app in this window, whatever campaigns were kept.
    public let unmatched: UnmatchedCounts
    /// Of the distinct counts, relative: two of three estimates are as near as this, and 95 of 100 twice as near. Nil when they
    /// are exact.
    public let standardError: Double?
    /// Of notifications, as everywhere. Nil in a report that was not read from a database.
    public internal(set) var completeness: Completeness?
    /// Nil unless the query names another window.
    public internal(set) var comparison: ReportComparison?

    /// Nil where sketches answered.
    public var audienceReach: Proportion? { audienceReached.map { Proportion($0, of: audience) } }

    public var isEmpty: Bool { totals.targeted == 0 && totals.withoutTarget == 0 && unmatched.isZero }

    /// Asks the notifications, or their sketches where there are some that answer the question, in one snapshot.
    ///
    /// - Parameter exactly: counts the notifications themselves. The work grows with them.
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)`` for a window in which the app sent some that are no longer
    ///   kept, ``ReportError/doesNotAddUp(report:place:rule:left:right:)``, `PostgresError`.
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
                // What is counted is not compared with an estimate, which nobody would know of.
                let before = try counted(
                    query.with(window: window), on: connection, now: now,
                    exactly: report.standardError == nil)
                report.comparison = ReportComparison(now: report.side, before: before.side)
            }
            return report
        }
    }

    /// Without what stands beside it.
    private static func counted(
        _ query: ReportQuery, on connection: PostgresConnection, now: Instant, exactly: Bool
    ) throws -> ReachReport {
        let isSketched = try !exactly && ReachSketches.answer(query, on: connection)
        let figures =
            isSketched
            ? try ReachFigures(sketched: query, on: connection)
            : try ReachFigures(exactly: query, on: connection)
        let audience =
            isSketched
            ? try Audience.recent(of: query.app, on: connection, now: now)
            : try Audience.reached(by: query, on: connection, now: now)
        return try ReachReport(
            frame: ReportFrame(report: "reach", query: query, unit: .installations, asOf: now),
            rows: figures.rows, totals: figures.totals, audience: audience.count,
            unmatched: UnmatchedCounts.read(query, on: connection), audienceAsOf: audience.asOf,
            audienceReached: audience.reached, standardError: figures.standardError)
    }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)``: there is no such value whose
    ///   numbers contradict each other.
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
