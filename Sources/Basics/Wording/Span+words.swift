extension Span {
    /// The absolute length in up to two units: `850 ms`, `1.2 s`, `5 min 3 s`, `3 h 20 min`, `12 days 4 h`.
    public var words: String {
        let milliseconds = milliseconds.magnitude
        let seconds = milliseconds / 1_000
        switch seconds {
        case 0: return "\(milliseconds) ms"
        case ..<10: return "\(seconds).\(milliseconds % 1_000 / 100) s"
        case ..<60: return "\(seconds) s"
        case ..<3_600: return Self.text(seconds / 60, "min", seconds % 60, "s")
        case ..<86_400: return Self.text(seconds / 3_600, "h", seconds % 3_600 / 60, "min")
        default:
            let days = seconds / 86_400
            return Self.text(days, days == 1 ? "day" : "days", seconds % 86_400 / 3_600, "h")
        }
    }

    /// The greatest unit only, rounded down: `850 ms`, `12 s`, `5 min`, `3 h`, `12 days`.
    public var roughWords: String {
        let seconds = milliseconds.magnitude / 1_000
        switch seconds {
        case 0: return "\(milliseconds.magnitude) ms"
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3_600) h"
        case ..<172_800: return "1 day"
        default: return "\(seconds / 86_400) days"
        }
    }

    /// Omits the smaller unit if it is 0.
    private static func text(_ great: UInt64, _ unit: String, _ small: UInt64, _ smallUnit: String) -> String
    {
        small == 0 ? "\(great) \(unit)" : "\(great) \(unit) \(small) \(smallUnit)"
    }

    /// The duration as exactly as a quantile is known, within a few percent: `850 ms`, `1.2 s`, `4 min 10 s`,
    /// `35 min`, `3 h 12 min`, `12 h`, `5 days`. Only a single digit is followed by a second unit.
    public var roundedWords: String {
        let units: [(milliseconds: Int64, next: Int64)] = [
            (60_000, 1_000), (3_600_000, 60_000), (86_400_000, 3_600_000),
        ]
        guard let unit = units.last(where: { milliseconds >= $0.milliseconds }) else { return words }
        let step = milliseconds >= 10 * unit.milliseconds ? unit.milliseconds : unit.next
        return Span(milliseconds: (milliseconds + step / 2) / step * step).words
    }

    /// The shortest text that still differs from that of a duration 10 % longer: `850 ms`, `1.2
    /// s`, `4.3 min`, `35 min`, `3 h`, `2.5 days`.
    public var shortWords: String {
        let units: [(name: String, milliseconds: Int64)] = [
            ("days", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000),
        ]
        // A duration that would be rounded up to 60 min is 1 h.
        guard let unit = units.first(where: { milliseconds * 200 >= $0.milliseconds * 199 }) else {
            return "\(milliseconds) ms"
        }
        let tenths = (milliseconds * 10 + unit.milliseconds / 2) / unit.milliseconds
        let figure =
            tenths < 100 && tenths % 10 != 0
            ? "\(tenths / 10).\(tenths % 10)"
            : "\((milliseconds + unit.milliseconds / 2) / unit.milliseconds)"
        return "\(figure) \(figure == "1" && unit.name == "days" ? "day" : unit.name)"
    }
}
