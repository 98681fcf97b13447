internal import DeliveryModel

/// The figures of another window next to those of a report, as `--compare` requests.
public struct ReportComparison: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        /// The key in the report; `nil` if only the other window has such a row.
        public let key: RowKey?
        /// The key in the other window. Its period differs from that of `key`: periods match by position.
        public let previousKey: RowKey?
        public let change: FiguresChange
    }

    /// The other window.
    public let window: ReportWindow
    /// The report's rows in their order, then those that only the other window has.
    public internal(set) var rows: [Row]
    public let totals: FiguresChange

    /// Sorts rows in the order of the report's. Rows that it leaves out or never had go last or are removed.
    mutating func follow(_ keys: [RowKey], leavesOutOthers: Bool) {
        let places = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let kept = leavesOutOthers ? rows.filter { row in row.key.map { places[$0] != nil } ?? false } : rows
        let ranks = kept.map { row in row.key.flatMap { places[$0] } ?? .max }
        rows = kept.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }.map { kept[$0] }
    }

    /// The rows and totals of one window.
    struct Side {
        let query: ReportQuery
        let rows: [(key: RowKey, figures: Figures)]
        let totals: Figures
        /// The figures of a missing row: counts of 0, and unknown times.
        let nothing: Figures
    }

    init(now: Side, before: Side) {
        let places = PeriodPosition(now.query)
        let earlierPlaces = PeriodPosition(before.query)
        var earlier: [[String?]: (key: RowKey, figures: Figures)] = [:]
        for row in before.rows { earlier[earlierPlaces.place(of: row.key)] = row }
        rows = []
        for row in now.rows {
            let other = earlier.removeValue(forKey: places.place(of: row.key))
            let change = FiguresChange(from: other?.figures ?? before.nothing, to: row.figures)
            rows.append(Row(key: row.key, previousKey: other?.key, change: change))
        }
        for row in before.rows where earlier[earlierPlaces.place(of: row.key)] != nil {
            let change = FiguresChange(from: row.figures, to: now.nothing)
            rows.append(Row(key: nil, previousKey: row.key, change: change))
        }
        window = before.query.window
        totals = FiguresChange(from: before.totals, to: now.totals)
    }
}

extension ReportComparison {
    /// `comparison` of the document: the other window, and for each row and the totals the previous
    /// figures and their changes. Changes of rates are fractions, with Newcombe's interval.
    ///
    /// - Parameter query: the query of the report.
    func json(of query: ReportQuery) -> JSONValue {
        let other = query.with(window: window)
        let frame: [JSONValue.Member] = [
            .init("from", .string(query.timeZone.rfc3339(window.from))),
            .init("to", .string(query.timeZone.rfc3339(window.to))),
        ]
        let rows = rows.map { row in
            let keys: [JSONValue.Member] = [
                .init("key", row.key?.json ?? .null), .init("previous_key", row.previousKey?.json ?? .null),
            ]
            return JSONValue.object(keys + row.change.members)
        }
        return .object(
            frame + JSONValue.Member.cutPeriods(other.cutPeriods) + [
                .init("rows", .array(rows)), .init("totals", .object(totals.members)),
            ])
    }
}

extension FiguresChange {
    fileprivate var members: [JSONValue.Member] {
        let counts = counts.map { count in
            JSONValue.Member(
                count.id,
                ["previous": .optional(count.before), "change": .optional(count.change)])
        }
        let rates = rates.map { rate in
            JSONValue.Member(
                rate.id,
                [
                    "previous": .optional(rate.difference.first.value),
                    "change": .optional(rate.difference.value),
                    "low": .optional(rate.difference.interval?.lowerBound),
                    "high": .optional(rate.difference.interval?.upperBound),
                ])
        }
        return [.init("counts", .object(counts)), .init("rates", .object(rates))]
    }
}

/// The position of a row in its window: the names in its key, and its period counted from the window's first.
///
/// Periods without notifications have no row, so rows cannot be counted. Clocks change between two windows,
/// so elapsed hours cannot be counted either: eight o'clock is compared with eight o'clock.
struct PeriodPosition {
    private let zone: ReportTimeZone
    private let start: Instant

    init(_ query: ReportQuery) {
        self.zone = query.timeZone
        let from = query.window.from
        self.start = Self.clock(LocalTime(from, utcOffsetMinutes: query.timeZone.utcOffsetMinutes(at: from)))
    }

    func place(of key: RowKey) -> [String?] {
        key.parts.map { part in part.dimension.isPeriod ? position(of: part) : part.value }
    }

    private func position(of part: RowKey.Part) -> String? {
        guard let value = part.value else { return nil }
        guard let clock = Instant(rfc3339: value.count == 10 ? "\(value)T00:00:00Z" : "\(value.prefix(19))Z")
        else { return value }
        switch part.dimension {
        case .hour:
            let hours = Self.whole(.hours(1), clock) - Self.whole(.hours(1), start)
            return "\(hours)" + (isRepeated(value, clock: clock) ? " again" : "")
        case .day: return "\(Self.whole(.days(1), clock) - Self.whole(.days(1), start))"
        case .week: return "\(Self.week(clock) - Self.week(start))"
        case .month: return "\(Self.month(value) - Self.month(start.rfc3339))"
        default: return value
        }
    }

    /// Whether this is the second of the two equal hours when daylight saving time ends.
    private func isRepeated(_ hour: String, clock: Instant) -> Bool {
        guard let instant = Instant(rfc3339: hour) else { return false }
        let offset = clock - instant
        let before = Span.minutes(Int64(zone.utcOffsetMinutes(at: instant - .hours(3))))
        guard before > offset else { return false }
        let same = clock - before
        return Span.minutes(Int64(zone.utcOffsetMinutes(at: same))) == before
    }

    /// The time that local clocks show, as if they showed UTC.
    private static func clock(_ time: LocalTime) -> Instant {
        Instant(rfc3339: "\(time.clock.prefix(19))Z") ?? Instant(millisecondsSinceEpoch: 0)
    }

    private static func whole(_ span: Span, _ instant: Instant) -> Int64 {
        let (count, rest) = instant.millisecondsSinceEpoch.quotientAndRemainder(dividingBy: span.milliseconds)
        return rest < 0 ? count - 1 : count
    }

    /// Weeks since the Monday before 1970-01-01, a Thursday.
    private static func week(_ instant: Instant) -> Int64 { whole(.days(7), instant + .days(3)) }

    /// The months of a date such as `2026-03-…`, counted from year 0.
    private static func month(_ date: String) -> Int {
        (Int(date.prefix(4)) ?? 0) * 12 + (Int(date.dropFirst(5).prefix(2)) ?? 0)
    }
}
