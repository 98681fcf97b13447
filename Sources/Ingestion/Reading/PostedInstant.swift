internal import DeliveryModel
internal import Foundation
public import Instants

/// An RFC 3339 string with a zone, or an integer of milliseconds since 1970.
///
/// Many languages write 0 or the year 1 for a time that was never set (Go's zero time among them), so these count as absent. Any
/// other instant before 2009, when push began, is a mistake: usually seconds given as milliseconds.
public struct PostedInstant: Decodable, Sendable {
    /// `nil` for a zero value.
    public let instant: Instant?

    /// The years 2009 to 9999, far from where arithmetic on milliseconds could overflow.
    private static let bounds =
        Instant.earliestPosted...Instant(millisecondsSinceEpoch: 253_402_300_799_999)

    /// The requirement, as the end of a sentence that begins with the field's name.
    public static let requirement =
        "must be an RFC 3339 instant with a zone, or milliseconds (not seconds) since 1970, in 2009 or later"

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let posted = Self.posted(in: container).flatMap(Self.init) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.requirement)
        }
        self = posted
    }

    /// Returns `nil` for an instant outside the bounds.
    public init?(_ instant: Instant) {
        guard instant.isZeroValue || Self.bounds.contains(instant) else { return nil }
        self.instant = instant.isZeroValue ? nil : instant
    }

    private static func posted(in container: any SingleValueDecodingContainer) -> Instant? {
        if let milliseconds = try? container.decode(Int64.self) {
            return Instant(millisecondsSinceEpoch: milliseconds)
        }
        return (try? container.decode(String.self)).flatMap { Instant(rfc3339: $0) }
    }
}
