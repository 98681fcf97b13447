internal import DeliveryModel
internal import Reports

extension Span {
    /// How long it is, as exactly as a quantile is known, within a few percent: `850 ms`, `1.2 s`, `4 min 10 s`, `35 min`,
    /// `3 h 12 min`, `12 h`, `5 days`. A second unit stands only behind a single digit.
    var roundedWords: String {
        let units: [(milliseconds: Int64, next: Int64)] = [
            (60_000, 1_000), (3_600_000, 60_000), (86_400_000, 3_600_000),
        ]
        guard let unit = units.last(where: { milliseconds >= $0.milliseconds }) else { return words }
        let step = milliseconds >= 10 * unit.milliseconds ? unit.milliseconds : unit.next
        return Span(milliseconds: (milliseconds + step / 2) / step * step).words
    }
}
