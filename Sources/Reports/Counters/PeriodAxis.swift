public import Basics

/// Every local period of a window, including those in which nothing was sent: a chart over time
/// needs them, because a report has no rows for them.
public enum PeriodAxis {
    /// The values of `RowKey.Part` in chronological order.
    ///
    /// - Parameter asOf: periods that begin later are omitted, because they are in the future.
    public static func values(
        of period: Dimension, in window: ReportWindow, _ zone: ReportTimeZone, asOf: Instant
    ) -> [String] {
        periods(of: period, in: window, zone, asOf: asOf).map(\.value)
    }

    /// These values, each with its first instant in the window.
    static func periods(
        of period: Dimension, in window: ReportWindow, _ zone: ReportTimeZone, asOf: Instant
    ) -> [(value: String, start: Instant)] {
        let end = min(window.to, max(window.from + Span(milliseconds: 1), asOf))
        var periods: [(value: String, start: Instant)] = []
        var instant = window.from
        while instant < end {
            let value = value(of: period, at: instant, zone)
            if periods.last?.value != value { periods.append((value, instant)) }
            // Every offset is a multiple of a quarter hour, so no local hour or day is skipped.
            instant =
                period == .hour
                ? instant + .minutes(15) : max(zone.startOfDay(instant, plusDays: 1), instant + .minutes(15))
        }
        return periods
    }

    /// The periods that the window contains only in part: its first, its last, both or neither.
    /// Their counts cannot be compared with those of whole periods.
    static func cutShort(
        _ period: Dimension, from: Instant, to: Instant, _ zone: ReportTimeZone
    ) -> [String] {
        let moment = Span(milliseconds: 1)
        let first = value(of: period, at: from, zone)
        let last = value(of: period, at: to - moment, zone)
        var cut: [String] = []
        if value(of: period, at: from - moment, zone) == first { cut.append(first) }
        if value(of: period, at: to, zone) == last, cut.last != last { cut.append(last) }
        return cut
    }

    private static func value(of period: Dimension, at instant: Instant, _ zone: ReportTimeZone) -> String {
        let offset = zone.utcOffsetMinutes(at: instant)
        let local = LocalTime(instant, utcOffsetMinutes: offset)
        switch period {
        case .hour:
            return LocalTime(clock: "\(local.clock.prefix(13)):00:00", utcOffsetMinutes: offset).rfc3339
        case .week:
            let monday = zone.startOfDay(instant, plusDays: -zone.daysSinceMonday(instant))
            return LocalTime(monday, utcOffsetMinutes: zone.utcOffsetMinutes(at: monday)).date
        case .month: return "\(local.clock.prefix(7))-01"
        default: return local.date
        }
    }
}

extension ReportQuery {
    /// The periods of the breakdown that the window cuts short, as values of ``RowKey/Part``.
    public var cutPeriods: [String] {
        by.first(where: \.isPeriod).map {
            PeriodAxis.cutShort($0, from: window.from, to: window.to, timeZone)
        } ?? []
    }
}

extension JSONValue.Member {
    /// `cut_periods`, if there are any.
    static func cutPeriods(_ names: [String]) -> [JSONValue.Member] {
        names.isEmpty ? [] : [.init("cut_periods", .array(names.map { .string($0) }))]
    }
}
