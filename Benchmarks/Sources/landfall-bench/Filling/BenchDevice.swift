internal import DeliveryModel
internal import Foundation

/// An installation with one active token: iOS, alerts allowed.
struct BenchDevice: Sendable {
    static let topic = "com.example.shop"

    let deviceID: UUID
    let token: String
    let appVersion: String
    let osVersion: String
    let language: String
    let registeredAt: Instant

    /// Picks one of 50 combinations of traits and a registration time within the last 30 days.
    init(now: Instant, _ random: inout SeededRandom) {
        deviceID = UUID.random(&random)
        token = random.hexDigits(64)
        appVersion = "7.\(Int.random(in: 0..<5, using: &random)).0"
        osVersion = "18.\(Int.random(in: 0..<5, using: &random))"
        language = Bool.random(using: &random) ? "de" : "en"
        registeredAt = now - Span(milliseconds: .random(in: 0..<Span.days(30).milliseconds, using: &random))
    }
}

extension UUID {
    static func random(_ random: inout SeededRandom) -> UUID {
        UUID(first: random.next() & ~0xF000 | 0x4000, second: random.next() & ~(0xC0 << 56) | 0x80 << 56)
    }

    /// A version 7 id (RFC 9562, 5.7): 48 bits of milliseconds, the rest random.
    static func versionSeven(at instant: Instant, _ random: inout SeededRandom) -> UUID {
        let clock = UInt64(bitPattern: instant.millisecondsSinceEpoch) << 16
        return UUID(
            first: clock | 0x7000 | random.next() & 0x0FFF, second: random.next() & ~(0xC0 << 56) | 0x80 << 56
        )
    }

    private init(first: UInt64, second: UInt64) {
        self = withUnsafeBytes(of: (first.bigEndian, second.bigEndian)) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }
}
