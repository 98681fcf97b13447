/// SplitMix64 (Steele, Lea, Flood 2014): a seed always gives the same history.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, `count`; 0 if `count` is 0.
    mutating func below(_ count: Int) -> Int {
        Int(next() % UInt64(max(count, 1)))
    }

    mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    mutating func chance(percent: Int) -> Bool { below(100) < percent }

    /// One of the values, all equally likely.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let position = below(others.count + 1)
        return position == 0 ? first : others[position - 1]
    }

    mutating func hexDigits(_ count: Int) -> String {
        String((0..<count).map { _ in Character(String(below(16), radix: 16)) })
    }
}
