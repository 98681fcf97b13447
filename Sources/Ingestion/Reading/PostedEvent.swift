internal import DeliveryModel
internal import Foundation
public import Instants

/// An item as it was posted: every field of every type, not yet validated. Unknown fields are ignored.
struct PostedEvent {
    var type: String?
    var notificationID: PostedUUID?
    var messageID: PostedUUID?
    var sentAt: PostedInstant?

    var provider: String?
    var status: PostedStatus?
    var reason: String?
    var timestamp: PostedInstant?
    var token: String?
    var deviceID: PostedUUID?
    var channel: String?
    var environment: String?
    var topic: String?
    var pushType: String?
    var priority: Int?
    var mutableContent: Bool?
    var collapseID: String?
    /// Read so that it is validated if given; nothing counts it yet.
    var expiresAt: PostedInstant?
    var campaign: String?
    var variant: String?
    var tokenKind: String?

    var occurredAt: PostedInstant?
    var reportedAt: PostedInstant?
    var action: String?
    var source: String?
    var appVersion: String?

    var error: PostedError?
    var final: Bool?
    var tokenMalformed: Bool?

    /// A string contains U+0000.
    var holdsNUL = false
}

/// A `status`: a number, also as a string (aioapns), or the word of an Expo ticket.
enum PostedStatus: Equatable {
    case code(Int)
    case ok
    case error

    init?(text: String) {
        switch text {
        case "ok": self = .ok
        case "error": self = .error
        default:
            guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ $0.digit != nil }),
                let code = Int(text)
            else { return nil }
            self = .code(code)
        }
    }
}

/// A provider's error as posted, not yet read.
enum PostedError {
    /// A JSON object or array.
    case json([UInt8])
    case text(String)
}

/// A string that should be a UUID. Whether it is one is checked only where it is needed: a field that is irrelevant to an item's
/// type may hold anything.
enum PostedUUID {
    case valid(UUID)
    case invalid(String)

    init(_ text: JSONText) {
        self = text.withBytes(UUID.init(strict:)).map { .valid($0) } ?? .invalid(text.string)
    }

    var uuid: UUID? {
        guard case .valid(let uuid) = self else { return nil }
        return uuid
    }

    /// The posted text, if it is not a UUID.
    var invalidText: String? {
        guard case .invalid(let text) = self else { return nil }
        return text
    }
}

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
