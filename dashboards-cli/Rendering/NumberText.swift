internal import DeliveryModel

/// `1234567` as `1,234,567`.
func grouped(_ number: Int64) -> String {
    var text = ""
    for (position, digit) in String(number.magnitude).reversed().enumerated() {
        if position > 0, position % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
}

/// A fraction in percent with one decimal, without the sign: `93.4`.
func percent(_ fraction: Double) -> String {
    let tenths = Int64((fraction * 1_000).rounded())
    return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
}

extension Proportion {
    /// `93.4 % (92.9–93.9)`: the rate and, where there is room for it, its 95 % interval.
    func text(_ style: OutputStyle) -> String {
        guard let value else { return style.nothing }
        guard let interval, !style.isNarrow else { return "\(percent(value)) %" }
        return
            "\(percent(value)) % (\(percent(interval.lowerBound))\(style.dash)\(percent(interval.upperBound)))"
    }
}
