package import DeliveryModel
internal import Reports
internal import Wording

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
