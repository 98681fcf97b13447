public import Basics
internal import Foundation

/// The IANA time zone in which a report divides its days.
public struct ReportTimeZone: Hashable, Sendable {
    /// The IANA name, as PostgreSQL receives it.
    public let name: String
    private let calendar: Calendar

    public static let utc = ReportTimeZone(name: "UTC", zone: .gmt)

    /// - Throws: ``ReportError/unknownTimeZone(_:suggestion:)``.
    public init(_ name: String) throws(ReportError) {
        guard name != "UTC" else {
            self = .utc
            return
        }
        guard Self.isArea(name), let zone = TimeZone(identifier: name) else {
            let known = TimeZone.knownTimeZoneIdentifiers.filter(Self.isArea) + ["UTC"]
            throw .unknownTimeZone(name, suggestion: closestName(to: name, among: known))
        }
        self.init(name: name, zone: zone)
    }

    /// Whether the name is `Area/Place`. Abbreviations are rejected, because Foundation and
    /// PostgreSQL disagree about them: `GMT+2` is east of Greenwich for one and west for the other.
    private static func isArea(_ name: String) -> Bool {
        name.contains("/") && name.wholeMatch(of: #/[A-Za-z][A-Za-z0-9/_+-]*/#) != nil
    }

    private init(name: String, zone: TimeZone) {
        self.name = name
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The first instant of the local day that contains the instant. Usually local midnight; in
    /// zones that change their clocks at midnight, a day may begin at one o'clock.
    public func startOfDay(_ instant: Instant) -> Instant {
        Instant(calendar.startOfDay(for: Date(instant)))
    }

    /// The first instant of the local day that is `days` days after (before, if negative) the one that
    /// contains the instant.
    public func startOfDay(_ instant: Instant, plusDays days: Int) -> Instant {
        // Noon exists once on every local day, so counting days from it cannot end on a neighboring one.
        let start = calendar.startOfDay(for: Date(instant))
        let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: start) ?? start
        let moved = calendar.date(byAdding: .day, value: days, to: noon) ?? noon
        return startOfDay(Instant(moved))
    }

    /// The number of local days between two instants; `nil` unless both begin a day.
    public func wholeDays(from start: Instant, to end: Instant) -> Int? {
        guard startOfDay(start) == start, startOfDay(end) == end else { return nil }
        // Clock changes make a day a few hours longer or shorter, never by half.
        return Int((Double((end - start).milliseconds) / 86_400_000).rounded())
    }

    /// The number of local months between two instants; `nil` unless both begin a month.
    public func wholeMonths(from start: Instant, to end: Instant) -> Int? {
        guard let first = monthBeginning(at: start), let last = monthBeginning(at: end) else { return nil }
        return last - first
    }

    /// The first instant of the local month that is `months` months after (before, if negative) the
    /// one that contains the instant.
    public func startOfMonth(_ instant: Instant, plusMonths months: Int) -> Instant? {
        let (count, rest) = (month(of: instant) + months).quotientAndRemainder(dividingBy: 12)
        return startOfDay(year: count, month: rest + 1, day: 1)
    }

    /// The number of the local month that begins at the instant; `nil` if none does.
    private func monthBeginning(at instant: Instant) -> Int? {
        guard startOfDay(instant) == instant, calendar.component(.day, from: Date(instant)) == 1 else {
            return nil
        }
        return month(of: instant)
    }

    /// The number of months since the year 0.
    private func month(of instant: Instant) -> Int {
        let parts = calendar.dateComponents([.year, .month], from: Date(instant))
        return (parts.year ?? 0) * 12 + (parts.month ?? 1) - 1
    }

    /// The first instant of a local date; `nil` if there is no such date.
    public func startOfDay(year: Int, month: Int, day: Int) -> Instant? {
        let noon = DateComponents(year: year, month: month, day: day, hour: 12)
        guard let date = calendar.date(from: noon) else { return nil }
        let found = calendar.dateComponents([.year, .month, .day], from: date)
        guard found.year == year, found.month == month, found.day == day else { return nil }
        return startOfDay(Instant(date))
    }

    /// The number of minutes by which local clocks are ahead of UTC at the instant.
    public func utcOffsetMinutes(at instant: Instant) -> Int {
        calendar.timeZone.secondsFromGMT(for: Date(instant)) / 60
    }

    /// The local date that begins at the instant, `2026-03-01`, or ``rfc3339(_:)``: a value for `--from`.
    public func dateOrInstant(_ instant: Instant) -> String {
        startOfDay(instant) == instant ? String(rfc3339(instant).prefix(10)) : rfc3339(instant)
    }

    /// RFC 3339 in local time, such as `2026-03-01T00:00:00+01:00`; with milliseconds only if there are any.
    public func rfc3339(_ instant: Instant) -> String {
        local(instant).rfc3339
    }

    /// `2026-03-01 00:00 +01:00`: with its offset, because one hour occurs twice in autumn.
    public func toTheMinute(_ instant: Instant) -> String { local(instant).toTheMinuteWithOffset }

    private func local(_ instant: Instant) -> LocalTime {
        LocalTime(instant, utcOffsetMinutes: utcOffsetMinutes(at: instant))
    }
}

extension Date {
    fileprivate init(_ instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.millisecondsSinceEpoch) / 1_000)
    }
}

extension Instant {
    fileprivate init(_ date: Date) {
        self.init(millisecondsSinceEpoch: Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }
}
