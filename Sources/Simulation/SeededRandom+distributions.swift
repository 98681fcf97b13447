import Foundation
import SeededRandom

/// The distributions that a simulation draws from. They are written out here because the standard library may change how it turns bits into
/// ranges.
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
        table.value(at: below(table.totalWeight))
    }
}

/// Values and the weight of each.
struct WeightedTable<Value: Sendable>: Sendable {
    private let first: Value
    private let others: [(value: Value, weight: Int)]
    private let firstWeight: Int
    let totalWeight: Int

    init(_ first: Value, _ firstWeight: Int, _ others: [(Value, Int)] = []) {
        self.first = first
        self.firstWeight = firstWeight
        self.others = others.map { (value: $0.0, weight: $0.1) }
        self.totalWeight = others.reduce(firstWeight) { $0 + $1.1 }
    }

    fileprivate func value(at position: Int) -> Value {
        var remaining = position - firstWeight
        if remaining < 0 { return first }
        for entry in others {
            remaining -= entry.weight
            if remaining < 0 { return entry.value }
        }
        return first
    }
}
