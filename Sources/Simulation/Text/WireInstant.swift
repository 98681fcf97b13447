internal import Documents
internal import Instants
internal import SeededRandom

/// The ways in which clients write an instant.
enum WireInstant {
    /// Mostly RFC 3339 in UTC, sometimes RFC 3339 with an offset, sometimes Unix milliseconds.
    static func written(_ instant: Int64, _ random: inout SeededRandom) -> JSONValue {
        switch random.below(100) {
        case 0..<80: .string(text(instant))
        case 80..<88: .string(text(instant, offsetHours: 2))
        default: .integer(instant)
        }
    }

    /// RFC 3339 with milliseconds, such as `2026-03-01T08:15:00.250Z` or `2026-03-01T10:15:00.250+02:00`.
    static func text(_ instant: Int64, offsetHours: Int64 = 0) -> String {
        let local = Instant(millisecondsSinceEpoch: instant + .hours(offsetHours)).rfc3339
        return offsetHours == 0 ? local : "\(local.dropLast())+0\(offsetHours):00"
    }
}

extension Int64 {
    /// The start of the span of this length, counted from 1970, that contains the instant.
    func start(of length: Int64) -> Int64 {
        let remainder = self % length
        return self - (remainder < 0 ? remainder + length : remainder)
    }
}
