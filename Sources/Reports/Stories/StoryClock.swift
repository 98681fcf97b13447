internal import Documents
public import Instants
internal import Wording

/// Formats instants: in local time of a time zone, and relative to now.
public struct StoryClock: Hashable, Sendable {
    public let timeZone: ReportTimeZone
    public let now: Instant

    public init(timeZone: ReportTimeZone, now: Instant) {
        self.timeZone = timeZone
        self.now = now
    }

    /// `2026-03-01 09:30:15`, local time.
    public func local(_ instant: Instant) -> String {
        let clock = LocalTime(instant, utcOffsetMinutes: timeZone.utcOffsetMinutes(at: instant)).clock
        return "\(clock.prefix(10)) \(clock.dropFirst(11).prefix(8))"
    }

    /// `3 days ago`, `in 2 h`, `now`: only the greatest unit.
    public func relative(_ instant: Instant) -> String {
        let span = now - instant
        if span.milliseconds.magnitude < 1_000 { return "now" }
        return span.milliseconds > 0 ? "\(span.roughWords) ago" : "in \(span.roughWords)"
    }

    /// `2026-03-01 09:30:15 (3 days ago)`.
    public func localAndRelative(_ instant: Instant) -> String {
        "\(local(instant)) (\(relative(instant)))"
    }

    /// RFC 3339 in local time, for documents.
    func document(_ instant: Instant?) -> JSONValue {
        .optional(instant.map(timeZone.rfc3339))
    }
}
