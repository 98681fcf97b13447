/// The time that local clocks show, with its offset from UTC.
public struct LocalTime: Hashable, Sendable {
    /// `2026-03-01T09:30:00`, followed by `.250` if there are milliseconds.
    public let clock: String
    public let utcOffsetMinutes: Int

    public init(_ instant: Instant, utcOffsetMinutes: Int) {
        let shifted = (instant + .minutes(Int64(utcOffsetMinutes))).rfc3339.dropLast()
        self.clock = String(shifted.hasSuffix(".000") ? shifted.dropLast(4) : shifted)
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    public init(clock: String, utcOffsetMinutes: Int) {
        self.clock = clock
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    /// `2026-03-01`.
    public var date: String { String(clock.prefix(10)) }

    /// `2026-03-01T09:30:00+01:00`.
    public var rfc3339: String { clock + offset }

    /// `2026-03-01 09:30`, for people.
    public var toTheMinute: String { "\(date) \(clock.dropFirst(11).prefix(5))" }

    /// `2026-03-01 09:30 +01:00`, for people.
    public var toTheMinuteWithOffset: String { "\(toTheMinute) \(offset)" }

    /// `+01:00`, `-03:30`; `Z` is written as `+00:00`.
    private var offset: String {
        let minutes = abs(utcOffsetMinutes)
        return (utcOffsetMinutes < 0 ? "-" : "+") + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    private func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension Instant {
    /// `2026-03-01`, in UTC.
    public var utcDate: String { LocalTime(self, utcOffsetMinutes: 0).date }

    /// `2026-03-01 09:30` in UTC, for people.
    public var utcMinute: String { LocalTime(self, utcOffsetMinutes: 0).toTheMinute }

    /// `2026-03-01 09:30 +00:00`, for people.
    public var utcMinuteWithOffset: String { LocalTime(self, utcOffsetMinutes: 0).toTheMinuteWithOffset }
}
