public import DeliveryModel
internal import Foundation

/// An RFC 3339 string with a zone, or an integer of milliseconds since 1970.
public struct PostedInstant: Decodable, Sendable {
    public let instant: Instant

    /// The years 1 to 9999: what RFC 3339 can say, and far from where arithmetic on milliseconds could overflow.
    private static let bounds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let posted = Self.posted(in: container).flatMap(Self.init) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "neither an RFC 3339 instant with a zone nor milliseconds since 1970")
        }
        self = posted
    }

    /// Nil for an instant outside of the bounds.
    init?(_ instant: Instant) {
        guard Self.bounds.contains(instant.millisecondsSinceEpoch) else { return nil }
        self.instant = instant
    }

    private static func posted(in container: any SingleValueDecodingContainer) -> Instant? {
        if let milliseconds = try? container.decode(Int64.self) {
            return Instant(millisecondsSinceEpoch: milliseconds)
        }
        return (try? container.decode(String.self)).flatMap { Instant(rfc3339: $0) }
    }
}
