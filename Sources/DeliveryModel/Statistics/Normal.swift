internal import Foundation

/// The standard normal distribution.
enum Normal {
    /// Its 97.5th percentile: 95 % of the values are between this and its negative.
    static let twoSided95 = 1.959_963_984_540_054

    /// The probability of a value at least as far from 0, on either side.
    static func twoSidedTail(_ value: Double) -> Double { erfc(abs(value) / 2.0.squareRoot()) }
}
