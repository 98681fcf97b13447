/// A short name for a long path, the same in every program and every run: sixteen hexadecimal digits.
///
/// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/); Swift's own hashes differ between runs.
func stableHash(of text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
