public import PostgresClient

/// Compares the counters with the notifications they were counted from, and received items with
/// their verdicts: a test of what ingestion promises.
///
/// Recounts day by day within one snapshot, so that writers can continue. The database counts; only
/// one day's counters are held in memory. Dropped notifications cannot be recounted: their counters
/// stay, and only those by UTC day are compared with their quarter hours.
public struct Verification: Hashable, Sendable {
    /// A counter that differs from the notifications.
    public struct Difference: Hashable, Sendable {
        /// `counter`, one of its grains (`counter_day`, `headline_quarter`, `headline_day`),
        /// `latency_rollup`, `latency_day_rollup`, `version_rollup`, `intake_rollup` or `quarantine_count`.
        public let table: String
        public let appID: Int64
        /// The start of the quarter hour; in `intake_rollup` of the hour, in tables of days and
        /// versions of the day; `nil` in tables without a time.
        public let quarter: Instant?
        /// `nil` in tables without campaigns, and for notifications with a response but no campaign: a fault.
        public let campaignID: Int64?
        /// `nil` except for counters by segment.
        public let segmentID: Int64?
        /// `nil` in tables whose campaigns and segments are not divided further.
        public internal(set) var part: Part?
        /// The column.
        public let measure: String
        public let counted: Int64
        public let recorded: Int64
    }

    /// The part of a counter's identity other than campaign and segment.
    public enum Part: Hashable, Comparable, Sendable {
        /// Notifications in a state; for rejected ones also the response, otherwise 0.
        case state(Int32, responseID: Int64)
        /// A range of durations.
        case latency(stage: String, bucket: Int16)
        case version(platform: String, appVersion: String)
    }

    /// The app whose counters and notifications were compared; `nil` for all apps.
    var appID: Int64?
    /// The number of notifications that were recounted.
    public internal(set) var notifications: Int64 = 0
    /// The number of items received since these are counted.
    public internal(set) var received: Int64 = 0
    /// The number of items in quarantine.
    public internal(set) var quarantined: Int64 = 0
    /// The number of counters that were compared.
    public internal(set) var counters: Int64 = 0
    public internal(set) var differenceCount: Int64 = 0
    /// The first differences, at most ``differenceLimit``, sorted by table, app and quarter within each day.
    public internal(set) var differences: [Difference] = []

    /// If everything is wrong, a thousand lines are enough.
    public static let differenceLimit = 1_000

    /// - Parameters:
    ///   - appID: `nil` for all apps.
    ///   - days: UTC days that are left out.
    ///   - progress: called with the start of each UTC day before it is counted.
    /// - Throws: `PostgresError`.
    public static func run(
        appID: Int64? = nil, besides days: Set<Instant> = [], on connection: PostgresConnection,
        progress: (Instant) -> Void = { _ in }
    ) throws -> Verification {
        try connection.snapshot {
            try connection.execute(script: .Reports.lockDeliveries)
            var verification = Verification(appID: appID)
            let keptFrom: Instant? = try connection.query(.Ingestion.keptFrom).first?.get("kept_from")
            for span in try allSpans(on: connection)
            where span.upperBound != span.lowerBound + .days(1) || !days.contains(span.lowerBound) {
                progress(span.lowerBound)
                if let kept = kept([span], from: keptFrom ?? beginning).first {
                    try verification.verify(kept, on: connection)
                }
                // These need no notifications.
                try verification.verifyDays(span, on: connection)
            }
            try verification.verifyIntake(on: connection)
            return verification
        }
    }

    /// The parts of the spans that were not dropped.
    static func kept(_ spans: [Range<Instant>], from keptFrom: Instant) -> [Range<Instant>] {
        spans.map { $0.clamped(to: keptFrom..<end) }.filter { !$0.isEmpty }
    }

    /// The days that the counters cover, and all time before and after them: notifications that no
    /// counter counts would be there. (Partitions make that cheap: usually there are none.)
    private static func allSpans(on connection: PostgresConnection) throws(PostgresError) -> [Range<Instant>]
    {
        guard let row = try connection.query(.Reports.countedSpan).first,
            let first: Instant = try row.getOptional("first_quarter"),
            let last: Instant = try row.getOptional("last_quarter")
        else { return [beginning..<end] }
        return days(from: first, through: last)
    }

    static func days(from first: Instant, through last: Instant) -> [Range<Instant>] {
        var start = first.startOfUTCDay
        var spans = [beginning..<start]
        while start <= last {
            spans.append(start..<(start + .days(1)))
            start = start + .days(1)
        }
        return spans + [start..<end]
    }

    /// The years 1 and 10000; no notification is outside these bounds.
    private static let beginning = Instant(millisecondsSinceEpoch: -62_135_596_800_000)
    private static let end = Instant(millisecondsSinceEpoch: 253_402_300_800_000)
}

extension Verification {
    /// Compares one table. A missing counter is equal to 0.
    mutating func compare(
        _ table: String, _ counted: [CounterKey: [Int64]], _ recorded: [CounterKey: [Int64]],
        names: [String] = ["notifications"]
    ) {
        let zeros = names.map { _ in Int64(0) }
        let keys = Set(counted.keys).union(recorded.keys)
        counters += Int64(keys.count * names.count)
        let differing = keys.filter { counted[$0] ?? zeros != recorded[$0] ?? zeros }
        for key in differing.sorted() {
            let pairs = zip(names, zip(counted[key] ?? zeros, recorded[key] ?? zeros))
            for (name, pair) in pairs where pair.0 != pair.1 {
                note(
                    Difference(
                        table: table, appID: key.appID, quarter: key.quarter, campaignID: key.campaignID,
                        segmentID: key.segmentID, part: key.part, measure: name, counted: pair.0,
                        recorded: pair.1))
            }
        }
    }

    mutating func note(_ difference: Difference) {
        differenceCount += 1
        if differences.count < Self.differenceLimit { differences.append(difference) }
    }
}
