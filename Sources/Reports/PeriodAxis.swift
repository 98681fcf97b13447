public import DeliveryModel

/// Every local period of a window, also those in which nothing was sent: what a picture over time needs, because a report
/// has no rows for them.
public enum PeriodAxis {
    /// Values of `RowKey.Part` in time.
    ///
    /// - Parameter asOf: periods that begin later are left out: they have not come yet.
    public static func values(
        of period: Dimension, in window: ReportWindow, _ zone: ReportTimeZone, asOf: Instant
    ) -> [String] {
        let end = min(window.to, max(window.from + Span(milliseconds: 1), asOf))
        var values: [String] = []
        var instant = window.from
        while instant < end {
            let value = value(of: period, at: instant, zone)
            if values.last != value { values.append(value) }
            // Every offset is a multiple of a quarter hour: no local hour or day is stepped over.
            instant =
                period == .hour
                ? instant + .minutes(15) : max(zone.startOfDay(instant, plusDays: 1), instant + .minutes(15))
        }
        return values
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
