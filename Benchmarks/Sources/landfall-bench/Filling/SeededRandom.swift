/// SplitMix64 (Steele, Lea, Flood 2014). The seed makes every run post the same mix.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 32 random bytes in hexadecimal, the form of today's APNs device tokens.
    mutating func deviceToken() -> String {
        (0..<4).map { _ in
            let word = String(next(), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }
}
