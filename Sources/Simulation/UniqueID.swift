import Foundation
internal import SeededRandom

/// The 128 bits of a UUID.
struct UniqueID: Equatable {
    let high: UInt64
    let low: UInt64

    /// A version 7 UUID: its first 48 bits are `instant` in Unix milliseconds (RFC 9562, section 5.7).
    static func versionSeven(at instant: Int64, _ random: inout SeededRandom) -> UniqueID {
        let clock = UInt64(truncatingIfNeeded: instant) << 16
        return UniqueID(high: clock | 0x7000 | (random.next() & 0x0FFF), low: variant(random.next()))
    }

    /// A version 4 UUID: random, without a time (RFC 9562, section 5.4).
    static func versionFour(_ random: inout SeededRandom) -> UniqueID {
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
    var text: String { uuid.uuidString.lowercased() }

    var uuid: UUID {
        let b = bytes
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
                b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}
