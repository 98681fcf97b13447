import Foundation

/// The 128 bits of a UUID.
struct UniqueID: Equatable {
    let high: UInt64
    let low: UInt64

    /// A version 7 UUID: its first 48 bits are `instant` in Unix milliseconds (RFC 9562, section 5.7).
    static func versionSeven(at instant: Int64, _ random: inout RandomStream) -> UniqueID {
        let clock = UInt64(truncatingIfNeeded: instant) << 16
        return UniqueID(high: clock | 0x7000 | (random.next() & 0x0FFF), low: variant(random.next()))
    }

    /// A version 4 UUID: random, without a time (RFC 9562, section 5.4).
    static func versionFour(_ random: inout RandomStream) -> UniqueID {
        UniqueID(high: (random.next() & ~0xF000) | 0x4000, low: variant(random.next()))
    }

    private static func variant(_ bits: UInt64) -> UInt64 {
        (bits & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    }

    private var bytes: [UInt8] {
        [high, low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }

    /// The canonical text in lower case.
    var text: String {
        var characters: [UInt8] = []
        characters.reserveCapacity(36)
        for (position, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(position) { characters.append(UInt8(ascii: "-")) }
            Hexadecimal.append(byte, to: &characters)
        }
        return String(decoding: characters, as: UTF8.self)
    }

    var uuid: UUID {
        let b = bytes
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
                b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}

/// Lower-case hexadecimal digits.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func append(_ byte: UInt8, to characters: inout [UInt8]) {
        characters.append(digits[Int(byte >> 4)])
        characters.append(digits[Int(byte & 0x0F)])
    }

    /// A device token of 32 random bytes, the form of today's APNs device tokens.
    static func deviceToken(_ random: inout RandomStream) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(64)
        for _ in 0..<4 {
            let word = random.next()
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                append(UInt8(truncatingIfNeeded: word >> shift), to: &characters)
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
