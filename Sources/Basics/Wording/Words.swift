/// Formats numbers, names and times in findings; numbers are formatted this way everywhere.
public enum Words {
    /// `1,234,567`.
    public static func number(_ number: Int64) -> String {
        var text = ""
        for (position, digit) in String(number.magnitude).reversed().enumerated() {
            if position > 0, position % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }

    /// `1 push`, `1,204 pushes`.
    ///
    /// - Parameter many: `nil` if an s makes it plural.
    public static func count(_ count: Int64, _ one: String, _ many: String? = nil) -> String {
        "\(number(count)) \(count == 1 ? one : many ?? "\(one)s")"
    }

    /// A fraction in percent with one decimal, without the sign: `98.6`.
    public static func percent(_ fraction: Double) -> String {
        let tenths = Int64((fraction * 1_000).rounded())
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// `a`, `a and b`, `a, b and c`; of a long list, the first ones: `a, b, c and 4 more`.
    public static func list(_ names: [String], most: Int = 5) -> String {
        guard names.count > 1 else { return names.first ?? "" }
        let shown = names.prefix(names.count > most ? most : names.count - 1)
        let rest = names.count > most ? "\(names.count - most) more" : names[names.count - 1]
        return shown.joined(separator: ", ") + " and " + rest
    }

    /// `2026-03-15 17:00 UTC`.
    public static func time(_ instant: Instant) -> String {
        LocalTime(instant, utcOffsetMinutes: 0).toTheMinute + " UTC"
    }

    /// `from 2026-03-15 17:00 to 19:00 UTC`.
    public static func span(_ from: Instant, _ to: Instant) -> String {
        let (start, end) = (LocalTime(from, utcOffsetMinutes: 0), LocalTime(to, utcOffsetMinutes: 0))
        let words = start.date == end.date ? String(end.toTheMinute.dropFirst(11)) : end.toTheMinute
        return "from \(start.toTheMinute) to \(words) UTC"
    }

    /// `last hour`, `last 6 hours`.
    public static func lastHours(_ hours: Int64) -> String {
        hours == 1 ? "last hour" : "last \(hours) hours"
    }
}
