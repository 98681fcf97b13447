internal import Basics
internal import Foundation

/// `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String { Words.number(Int64(number)) }

/// The number with this many digits after the point.
func decimal(_ number: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", number)
}

func mebibytes(_ bytes: Int) -> String { String(bytes / 1_048_576) }
