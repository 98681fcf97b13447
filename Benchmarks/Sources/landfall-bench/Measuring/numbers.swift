internal import Foundation

/// `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String {
    var text = ""
    for (position, digit) in String(number.magnitude).reversed().enumerated() {
        if position > 0, position % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
}

/// The number with this many digits after the point.
func decimal(_ number: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", number)
}

func mebibytes(_ bytes: Int) -> String { String(bytes / 1_048_576) }
