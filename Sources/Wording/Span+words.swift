public import Instants

extension Span {
    /// The absolute length in its two greatest units: `850 ms`, `1.2 s`, `5 min 3 s`, `3 h 20 min`, `12 days 4 h`.
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
}
