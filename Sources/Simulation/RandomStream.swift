import Foundation

/// SplitMix64 (Steele, Lea, Flood 2014), with the few distributions that a simulation needs.
///
/// Every draw is implemented here, because the standard library may change how it turns bits into ranges.
struct RandomStream {
    private var state: UInt64

    /// Streams of one seed are independent of each other, so that phone 7 lives the same life with any other phones.
    init(seed: UInt64, stream: UInt64) {
        state = Self.mixed(Self.mixed(seed) ^ Self.mixed(stream &+ 0x9E37_79B9_7F4A_7C15))
    }

    /// Maps 64 bits to 64 others, one to one.
    static func mixed(_ bits: UInt64) -> UInt64 {
        var mixed = bits
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number from 0 up to, but not including, 1.
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// An index from 0 up to, but not including, `count`; 0 if `count` is 0.
    mutating func index(below count: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(max(count, 1))).high)
    }

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
        table.value(at: index(below: table.totalWeight))
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
