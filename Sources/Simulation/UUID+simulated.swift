internal import Basics
internal import Foundation

extension UUID {
    /// A version 7 UUID: its first 48 bits are `instant` in Unix milliseconds (RFC 9562, section 5.7).
    static func versionSeven(at instant: Int64, _ random: inout SeededRandom) -> UUID {
        let clock = UInt64(truncatingIfNeeded: instant) << 16
        return UUID(high: clock | 0x7000 | (random.next() & 0x0FFF), low: random.next())
    }

    /// A version 4 UUID: random, without a time (RFC 9562, section 5.4).
    static func versionFour(_ random: inout SeededRandom) -> UUID {
        UUID(high: (random.next() & ~0xF000) | 0x4000, low: random.next())
    }

    /// - Parameter low: the variant replaces its first two bits.
    private init(high: UInt64, low: UInt64) {
        let low = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        let b = [high, low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
                b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }

    /// The canonical text in lower case.
    var text: String { uuidString.lowercased() }
}
