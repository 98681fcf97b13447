/// A short name for a long path, the same in every program and every run.
///
/// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/); Swift's own hashes differ between runs.
struct StableHash: Sendable, CustomStringConvertible {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    init(of text: String) {
        for byte in text.utf8 {
            value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
    }

    /// Sixteen hexadecimal digits.
    var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
