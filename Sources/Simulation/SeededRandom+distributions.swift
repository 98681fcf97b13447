import Basics
import Foundation

/// The distributions that a simulation draws from. They are written out here because the standard library may
/// change how it turns bits into ranges.
extension SeededRandom {
    /// An instant in the range; its beginning if the range is empty.
    mutating func instant(in range: Range<Int64>) -> Int64 {
        let length = UInt64(max(range.upperBound - range.lowerBound, 1))
        return range.lowerBound + Int64(next().multipliedFullWidth(by: length).high)
    }

    /// A number of milliseconds between two others.
    mutating func span(_ shortest: Int64, _ longest: Int64) -> Int64 {
        instant(in: shortest..<max(longest, shortest))
    }

    mutating func share(_ lowest: Double, _ highest: Double) -> Double {
        lowest + unit() * (highest - lowest)
    }

    /// Milliseconds with a long tail: half of them are below `median`.
    mutating func logNormal(median: Int64, sigma: Double) -> Int64 {
        let normal = (-2 * log(1 - unit())).squareRoot() * cos(2 * Double.pi * unit())
        return Int64(Double(median) * exp(sigma * normal))
    }

    mutating func choice<Value>(_ table: WeightedTable<Value>) -> Value {
        table.values[below(table.values.count)]
    }
}

/// Each value as often as its weight.
struct WeightedTable<Value: Sendable>: Sendable {
    fileprivate let values: [Value]

    init(_ first: Value, _ weight: Int, _ others: [(Value, Int)]) {
        values = ([(first, weight)] + others).flatMap { Array(repeating: $0.0, count: $0.1) }
    }
}
