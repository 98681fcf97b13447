internal import Instants
internal import Wording

/// The position of a row in its window: the names in its key, and its period as an offset from the window's first.
///
/// Periods without notifications have no row, so rows cannot be counted. Clocks change between two
/// windows, so elapsed hours cannot be counted either: eight o'clock is compared with eight o'clock.
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
