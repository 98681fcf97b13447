public import Instants

extension Span {
    /// The duration as exactly as a quantile is known, within a few percent: `850 ms`, `1.2 s`, `4 min 10 s`, `35 min`, `3 h 12
    /// min`, `12 h`, `5 days`. Only a single digit is followed by a second unit.
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
