package import DeliveryModel
internal import Reports

/// `1234567` as `1,234,567`.
package func grouped(_ number: Int64) -> String { Words.number(number) }

/// A fraction in percent with one decimal, without the sign: `93.4`.
package func percent(_ fraction: Double) -> String { Words.percent(fraction) }

extension TextTable.Cell {
    /// A rate, which a page draws next to those of other rows.
    static func rate(
        _ proportion: Proportion, _ style: OutputStyle, _ ink: Ink? = nil, text: String? = nil
    ) -> Self {
        var cell = Self(text ?? proportion.text(style), ink)
        cell.proportion = proportion
        return cell
    }
}

extension Proportion {
    /// `93.4 % (92.9–93.9)`: the rate and, if there is room, its 95 % interval.
    package func text(_ style: OutputStyle) -> String { style.rate(value, interval) }
}

extension OutputStyle {
    func rate(_ value: Double?, _ interval: ClosedRange<Double>?) -> String {
        guard let value else { return nothing }
        guard let interval, !isNarrow else { return "\(percent(value)) %" }
        return "\(percent(value)) % (\(percent(interval.lowerBound))\(dash)\(percent(interval.upperBound)))"
    }
}

/// The change of a figure from one window to the other, with an arrow for its direction.
enum ChangeText {
    /// `1,234`, or `3 h 12 min` for a duration.
    static func figure(_ value: Int64, _ unit: Figures.Unit) -> String {
        switch unit {
        case .count: grouped(value)
        case .milliseconds: Span(milliseconds: value).roundedWords
        }
    }

    /// `▲ 1,234 (+12.3 %)`, `▼ 2 min 5 s (-8.0 %)`.
    static func count(_ count: FiguresChange.Count, _ style: OutputStyle) -> String {
        guard let change = count.change, let before = count.before else { return style.nothing }
        guard change != 0 else { return "=" }
        let growth =
            before > 0
            ? " (\(change > 0 ? "+" : "-")\(percent(Double(abs(change)) / Double(before))) %)" : ""
        return "\(style.arrow(up: change > 0)) \(figure(abs(change), count.unit))\(growth)"
    }

    /// Only the relative change, for a page that shows the number next to it: `▲ 12.3 %`.
    static func growth(_ count: FiguresChange.Count, _ style: OutputStyle) -> String {
        guard let change = count.change, change != 0, let before = count.before, before > 0 else {
            return self.count(count, style)
        }
        return "\(style.arrow(up: change > 0)) \(percent(Double(abs(change)) / Double(before))) %"
    }

    /// `▲ 1.2 pp (0.4 to 2.0)`: in percentage points, with the interval of the difference if there is room.
    static func rate(_ difference: ProportionDifference, _ style: OutputStyle) -> String {
        guard let change = difference.value else { return style.nothing }
        let points = "\(style.arrow(up: change >= 0)) \(percent(abs(change))) pp"
        guard let interval = difference.interval, !style.isNarrow else { return points }
        return points + " (\(percent(interval.lowerBound)) to \(percent(interval.upperBound)))"
    }

    /// Dim if the change may be due to chance or a doubtful rate; otherwise the color says if it is good.
    static func ink(_ rate: FiguresChange.Share) -> Ink? {
        rate.isDoubtful ? .aside : ink(rate.difference, of: rate.id)
    }

    /// Dim if the change may be due to chance; otherwise the color says whether it is good.
    ///
    /// - Parameter id: the id of the rate.
    static func ink(_ difference: ProportionDifference, of id: String) -> Ink? {
        guard let value = difference.value, let interval = difference.interval, !interval.contains(0)
        else { return .aside }
        switch Metric.rise(of: id) {
        case .good: return value > 0 ? .confirmed : .trouble
        case .bad: return value > 0 ? .trouble : .confirmed
        case .neither: return nil
        }
    }

    /// `▲ 11.7 %`, `▼ 3.2 %`, `= 0.0 %`; a dash if the number before was 0.
    static func day(from before: Int64, to now: Int64, _ style: OutputStyle) -> String {
        guard before > 0 else { return style.nothing }
        let change = Double(now - before) / Double(before)
        let size = "\(percent(abs(change))) %"
        if now == before { return "= \(size)" }
        return "\(style.arrow(up: now > before)) \(size)"
    }
}

extension OutputStyle {
    func arrow(up: Bool) -> String {
        guard usesUnicode else { return up ? "+" : "-" }
        return up ? "▲" : "▼"
    }
}
