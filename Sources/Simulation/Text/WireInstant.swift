/// The ways in which clients write an instant.
enum WireInstant {
    /// Mostly RFC 3339 in UTC, sometimes RFC 3339 with an offset, sometimes Unix milliseconds.
    static func written(_ instant: Int64, _ random: inout RandomStream) -> JSONValue {
        switch random.index(below: 100) {
        case 0..<80: .string(text(instant))
        case 80..<88: .string(text(instant, offsetMinutes: 120))
        default: .integer(instant)
        }
    }

    /// RFC 3339 with milliseconds, such as `2026-03-01T08:15:00.250Z` or `2026-03-01T10:15:00.250+02:00`.
    static func text(_ instant: Int64, offsetMinutes: Int64 = 0) -> String {
        let local = instant + .minutes(offsetMinutes)
        let day = floorDivision(local, .hours(24))
        let (year, month, dayOfMonth) = civilDate(daysSinceEpoch: day)
        let rest = local - day * .hours(24)
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { padded($0, 2) }
        let date = [padded(year, 4), padded(month, 2), padded(dayOfMonth, 2)].joined(separator: "-")
        return date + "T" + time.joined(separator: ":") + "." + padded(rest % 1_000, 3) + zone(offsetMinutes)
    }

    static func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }

    private static func zone(_ offsetMinutes: Int64) -> String {
        guard offsetMinutes != 0 else { return "Z" }
        let distance = abs(offsetMinutes)
        return (offsetMinutes < 0 ? "-" : "+") + padded(distance / 60, 2) + ":" + padded(distance % 60, 2)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The proleptic Gregorian date of a day, computed by eras of 400 years that begin in March.
    private static func civilDate(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = daysSinceEpoch + 719_468
        let era = floorDivision(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
