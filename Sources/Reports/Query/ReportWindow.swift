public import Basics

/// The span of `sent_at` that a report covers, `from` inclusive, `to` exclusive.
///
/// Counters are kept by quarter hour, so a window consists of whole ones: `from` is moved back and
/// `to` is moved forward to a quarter. A report prints this effective window, never the requested one.
public struct ReportWindow: Hashable, Sendable {
    public let from: Instant
    public let to: Instant
    /// Whether the window is wider than the requested one.
    public let isWidened: Bool

    /// - Throws: ``ReportError/emptyWindow(from:to:)``.
    public init(from: Instant, to: Instant) throws(ReportError) {
        guard from < to else { throw .emptyWindow(from: from.rfc3339, to: to.rfc3339) }
        self.from = from.startOfQuarter
        self.to = (to + .minutes(15) - Span(milliseconds: 1)).startOfQuarter
        self.isWidened = self.from != from || self.to != to
    }

    /// The window of a report that reads no counters.
    init(exactly span: Range<Instant>) {
        (from, to, isWidened) = (span.lowerBound, span.upperBound, false)
    }
}

/// Parses the values of `--from` and `--to`, or of the parameters `from` and `to`.
public enum WindowBound {
    /// - `2026-03-01`: the beginning of that local day; as `to`, this is the first day excluded.
    /// - `2026-03-01T09:30:00+01:00`: that instant.
    /// - `7d`: the beginning of the last 7 local days, including today, so that
    ///   `--from 14d --to 7d` covers the 7 days before the last 7.
    /// - `24h`: 24 hours ago, regardless of clock changes.
    /// - `now`, `today`, `yesterday`: this instant, the beginning of that local day.
    ///
    /// `nil` for anything else.
    public static func instant(_ text: String, in zone: ReportTimeZone, now: Instant) -> Instant? {
        switch text.lowercased() {
        case "now": now
        case "today": zone.startOfDay(now)
        case "yesterday": zone.startOfDay(now, plusDays: -1)
        default:
            ago(text, in: zone, now: now) ?? localDate(text, in: zone) ?? Instant(rfc3339: text)
        }
    }

    /// The instant of an optional text; `nil` stays `nil`.
    ///
    /// - Parameter bound: the name for the message: `from`.
    /// - Throws: ``ReportError/unreadableInstant(_:bound:)``.
    public static func instant(
        _ text: String?, as bound: String, in zone: ReportTimeZone, now: Instant
    ) throws(ReportError) -> Instant? {
        guard let text else { return nil }
        guard let instant = Self.instant(text, in: zone, now: now) else {
            throw .unreadableInstant(text, bound: bound)
        }
        return instant
    }

    /// The instant as of which figures are requested; `nil` means now.
    ///
    /// - Throws: ``ReportError/unreadableInstant(_:bound:)``, ``ReportError/futureInstant(_:)``.
    public static func pastInstant(
        _ text: String?, as bound: String, in zone: ReportTimeZone, now: Instant
    ) throws(ReportError) -> Instant {
        guard let instant = try Self.instant(text, as: bound, in: zone, now: now) else { return now }
        guard instant <= now else { throw .futureInstant(instant.rfc3339) }
        return instant
    }

    private static func ago(_ text: String, in zone: ReportTimeZone, now: Instant) -> Instant? {
        // Five digits are 273 years of days: enough, and too few to overflow.
        guard text.count <= 6, let count = naturalNumber(text.dropLast()), count > 0 else { return nil }
        switch text.last {
        case "d": return zone.startOfDay(now, plusDays: 1 - count)
        case "h": return now - .hours(Int64(count))
        default: return nil
        }
    }

    private static func localDate(_ text: String, in zone: ReportTimeZone) -> Instant? {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.map(\.count) == [4, 2, 2], let year = naturalNumber(fields[0]),
            let month = naturalNumber(fields[1]), let day = naturalNumber(fields[2])
        else { return nil }
        return zone.startOfDay(year: year, month: month, day: day)
    }

    /// Accepts digits only: `Int("+7")` would be 7.
    private static func naturalNumber(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
