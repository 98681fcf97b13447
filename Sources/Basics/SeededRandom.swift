/// SplitMix64 (Steele, Lea, Flood 2014): a seed always gives the same numbers, in every version of Swift.
/// Simulated traffic, random histories, benchmarks and tests draw from it.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    /// Streams of one seed are independent, so phone 7 lives the same life with any other phones.
    public init(seed: UInt64, stream: UInt64) {
        state = Self.mixed(Self.mixed(seed) ^ Self.mixed(stream &+ 0x9E37_79B9_7F4A_7C15))
    }

    /// Maps 64 bits to 64 others, one to one.
    public static func mixed(_ bits: UInt64) -> UInt64 {
        var mixed = bits
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number from 0 up to, but not including, 1.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    public mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// A number from 0 up to, but not including, `count`; 0 if `count` is 0.
    public mutating func below(_ count: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(max(count, 1))).high)
    }

    public mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// Lower-case hexadecimal digits. 64 of them have the form of today's APNs device tokens.
    public mutating func hexDigits(_ count: Int) -> String {
        var digits = ""
        while digits.utf8.count < count {
            let word = String(next(), radix: 16)
            digits += String(repeating: "0", count: 16 - word.utf8.count) + word
        }
        return String(digits.prefix(count))
    }
}
