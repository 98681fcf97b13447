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
    /// A number, or a word such as FCM's `high`.
    var priority: String?
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
    var receipt: String?
    var evidence: String?
    var category: String?
    var appState: String?
    var hasText: Bool?
    var kit: String?
    var outcome: String?
    var shared: Bool?
    var dropped: Int?

    var error: PostedError?
    var final: Bool?
    var tokenMalformed: Bool?

    /// The first string, in order of validation, that is too long or contains U+0000.
    var stringFault: (field: PostedField, rejection: ItemRejection)?
    /// The labels that could not be read.
    var unread = PostedFields()
}

/// A `status`: a number, also as a string (aioapns), or a word, such as that of an Expo ticket or a vendor's receipt.
enum PostedStatus: Equatable {
    case code(Int)
    case word(String)

    init?(text: String) {
        if (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ $0.digit != nil }), let code = Int(text)
        {
            self = .code(code)
        } else {
            guard (1...FieldLimits.statusWord).contains(text.utf8.count) else { return nil }
            self = .word(text)
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
struct PostedUUID {
    /// `nil` if the string is not one.
    let uuid: UUID?

    init(_ text: JSONText) { uuid = text.withBytes(UUID.init(strict:)) }
}

/// An RFC 3339 string with a zone, or a number of milliseconds since 1970. Fractions of a millisecond are dropped: browsers give
/// times as floating-point numbers.
///
/// Many languages write 0 or the year 1 for a time that was never set (Go's zero time among them), so these count as absent. Any
/// other instant before 2009, when push began, is a mistake: usually seconds given as milliseconds.
public struct PostedInstant: Decodable, Sendable {
    /// `nil` for a zero value.
    public let instant: Instant?

    /// The years 2009 to 2199, far from where arithmetic on milliseconds could overflow. Later years are usually those of another
    /// calendar: the Buddhist one is 543 years ahead.
    private static let bounds =
        Instant.earliestPosted...Instant(millisecondsSinceEpoch: 7_258_118_399_999)

    /// The requirement, as the end of a sentence that begins with the field's name.
    public static let requirement =
        "must be an RFC 3339 instant with a zone, or milliseconds (not seconds) since 1970, in the years 2009 to 2199"

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

    /// A provider's `timestamp`, in milliseconds. Some libraries convert it to seconds, which are too small to be milliseconds.
    init?(providers number: Double) {
        guard number.isFinite, number.magnitude < 1e15 else { return nil }
        let isSeconds = Self.seconds.contains(number)
        self.init(Instant(millisecondsSinceEpoch: Int64(isSeconds ? number * 1_000 : number)))
    }

    /// Seconds from 2009 on. Read as milliseconds, they would be in January 1970.
    private static let seconds = 1_230_768_000.0...100_000_000_000.0

    private static func posted(in container: any SingleValueDecodingContainer) -> Instant? {
        if let milliseconds = try? container.decode(Int64.self) {
            return Instant(millisecondsSinceEpoch: milliseconds)
        }
        if let milliseconds = try? container.decode(Double.self), milliseconds.magnitude < 1e15 {
            return Instant(millisecondsSinceEpoch: Int64(milliseconds))
        }
        return (try? container.decode(String.self)).flatMap { Instant(rfc3339: $0) }
    }
}

/// The known fields of all item types, in the order in which they are validated.
enum PostedField: Int, CaseIterable {
    case type, notificationID, messageID, sentAt
    case provider, status, reason, timestamp, token, deviceID, channel, environment, topic, pushType,
        priority,
        mutableContent, collapseID, expiresAt, campaign, variant, tokenKind
    case occurredAt, reportedAt, action, source
    case error, final, tokenMalformed
    case appVersion, receipt
    case evidence, category, appState, hasText, kit, outcome, shared, dropped

    /// The fields' names, in the order of the cases.
    static let names = [
        "type", "notification_id", "message_id", "sent_at", "provider", "status", "reason", "timestamp",
        "token", "device_id", "channel", "environment", "topic", "push_type", "priority", "mutable_content",
        "collapse_id", "expires_at", "campaign", "variant", "token_kind", "occurred_at", "reported_at",
        "action", "source", "error", "final", "token_malformed", "app_version", "receipt", "evidence",
        "category", "app_state", "has_text", "kit", "outcome", "shared", "dropped",
    ]

    var name: String { Self.names[rawValue] }

    /// Whether the item is recorded without the field if it cannot be read. The other fields say which push the item is about and
    /// what happened to it.
    var isLabel: Bool {
        switch self {
        case .type, .notificationID, .messageID, .provider, .status, .token: false
        default: true
        }
    }

    /// The field with this name, compared byte by byte.
    init?(name: UnsafeRawBufferPointer) {
        guard name.count < Self.byLength.count else { return nil }
        let word = UInt128(name)
        for (known, field) in Self.byLength[name.count] where known == word {
            self = field
            return
        }
        return nil
    }

    /// No name is longer than 15 bytes, so each fits into one number.
    private static let byLength: [[(name: UInt128, field: PostedField)]] = {
        var byLength: [[(name: UInt128, field: PostedField)]] = Array(repeating: [], count: 16)
        for field in allCases {
            let name = Array(field.name.utf8)
            byLength[name.count].append((name.withUnsafeBytes { UInt128($0) }, field))
        }
        return byLength
    }()

    /// The rejection for a value of the wrong kind.
    var misfit: ItemRejection {
        switch self {
        case .type: ItemRejection(.unknownType, "type must be a string")
        case .notificationID: ItemRejection(.invalidNotificationID, "notification_id must be a UUID")
        case .status:
            ItemRejection(
                .invalidStatus, "status must be a whole number, 0 if the provider did not respond")
        case .token: ItemRejection(.invalidToken, "token must be a string")
        case .sentAt: ItemRejection(.invalidInstant, "\(name) \(PostedInstant.requirement)")
        default: ItemRejection(.invalidField, "\(name) must be a string")
        }
    }
}

struct PostedFields {
    private var bits: UInt64 = 0

    /// The first field in order of validation.
    var first: PostedField? { PostedField(rawValue: bits.trailingZeroBitCount) }

    var isEmpty: Bool { bits == 0 }

    func contains(_ field: PostedField) -> Bool { bits & 1 << field.rawValue != 0 }

    /// Returns false if the field was already in the set.
    @discardableResult
    mutating func insert(_ field: PostedField) -> Bool {
        let bit: UInt64 = 1 << field.rawValue
        defer { bits |= bit }
        return bits & bit == 0
    }
}

extension UInt128 {
    /// Up to 15 bytes as one number.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
