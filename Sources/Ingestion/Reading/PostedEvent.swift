internal import DeliveryModel

/// An item as it was posted: every field of every type, not yet validated. Unknown fields are ignored.
struct PostedEvent {
    var type: String?
    var notificationID: PostedID?
    var messageID: PostedID?
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
    var campaign: String?
    var variant: String?
    var tokenKind: String?

    var occurredAt: PostedInstant?
    var reportedAt: PostedInstant?
    var source: String?
    var appVersion: String?
    var receipt: String?
    var evidence: String?
    var appState: String?
    var kit: String?
    var outcome: String?
    var shared: Bool?
    var dropped: Int?

    var error: PostedError?
    var final: Bool?
    var tokenMalformed: Bool?

    /// The facts of any kind of event that can be read as they are.
    var facts = DeliveryFacts()

    /// The first string, in order of validation, that is too long or contains U+0000.
    var stringFault: (field: PostedField, rejection: ItemRejection)?
    /// The labels that could not be read.
    var unread = PostedFields()
}

/// The known fields of all item types, in the order in which they are validated.
enum PostedField: Int, CaseIterable {
    case type, notificationID, messageID, sentAt
    case provider, status, reason, timestamp, token, deviceID, channel, environment, topic, pushType
    case priority, mutableContent, collapseID, expiresAt, campaign, variant, tokenKind
    case occurredAt, reportedAt, action, source
    case error, final, tokenMalformed
    case appVersion, receipt
    case evidence, category, appState, hasText, kit, outcome, shared, dropped
    case sender, providerID, contentAvailable

    /// The fields' names, in the order of the cases.
    static let names = [
        "type", "notification_id", "message_id", "sent_at", "provider", "status", "reason", "timestamp",
        "token", "device_id", "channel", "environment", "topic", "push_type", "priority", "mutable_content",
        "collapse_id", "expires_at", "campaign", "variant", "token_kind", "occurred_at", "reported_at",
        "action", "source", "error", "final", "token_malformed", "app_version", "receipt", "evidence",
        "category", "app_state", "has_text", "kit", "outcome", "shared", "dropped", "sender", "provider_id",
        "content_available",
    ]

    var name: String { Self.names[rawValue] }

    /// The number of Unicode scalars that its text may have.
    var longest: Int { self == .sender ? FieldLimits.sender : FieldLimits.text }

    /// Whether the item is recorded even if this is unreadable. The others identify the push or its outcome.
    var isLabel: Bool {
        switch self {
        case .type, .notificationID, .messageID, .provider, .status, .token: false
        default: true
        }
    }

    /// The field with this name, compared byte by byte.
    init?(name: UnsafeRawBufferPointer) {
        guard name.count < Self.byLength.count else { return nil }
        let word = Self.number(name)
        for (known, field) in Self.byLength[name.count] where known == word {
            // Of a longer name, the number has only the last 16 bytes.
            guard name.count <= 16 || name.elementsEqual(field.name.utf8) else { continue }
            self = field
            return
        }
        return nil
    }

    /// The fields by the length of their names, with their names as numbers.
    private static let byLength: [[(name: UInt128, field: PostedField)]] = {
        let longest = names.lazy.map(\.utf8.count).max() ?? 0
        var byLength: [[(name: UInt128, field: PostedField)]] = Array(repeating: [], count: longest + 1)
        for field in allCases {
            let name = Array(field.name.utf8)
            byLength[name.count].append((name.withUnsafeBytes(number), field))
        }
        return byLength
    }()

    private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
        bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    private static let idRequirement =
        "must be a text of 1 to \(FieldLimits.text) characters or a whole number"

    var misfit: ItemRejection {
        switch self {
        case .type: ItemRejection(.unknownType, "type must be a string")
        case .notificationID: ItemRejection(.invalidNotificationID, "\(name) \(Self.idRequirement)")
        case .messageID: ItemRejection(.invalidField, "\(name) \(Self.idRequirement)")
        case .status:
            ItemRejection(.invalidStatus, "status must be a whole number, 0 if the provider did not respond")
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

extension PostedEventReader {
    mutating func read(_ field: PostedField) throws(ItemRejection) {
        switch field {
        case .type: event.type = try string(field)
        case .notificationID: event.notificationID = try id(field)
        case .messageID: event.messageID = try id(field)
        case .sentAt: event.sentAt = try instant(field)
        case .provider: event.provider = try string(field)
        case .status: event.status = try status(field)
        case .reason: try readReason()
        case .timestamp: event.timestamp = try instant(field)
        case .token: event.token = try string(field)
        case .deviceID: event.deviceID = try text(field).map(PostedUUID.init)
        case .channel: event.channel = try name(field)
        case .environment: event.environment = try name(field)
        case .topic: event.topic = try name(field)
        case .pushType: event.pushType = try name(field)
        case .priority: event.priority = try priority(field)
        case .mutableContent: event.mutableContent = try claim(field)
        case .collapseID: event.facts.collapseID = try name(field)
        case .expiresAt: event.facts.expiresAt = try instant(field)?.instant
        case .campaign: event.campaign = try name(field)
        case .variant: event.variant = try name(field)
        case .tokenKind: event.tokenKind = try name(field)
        case .occurredAt: event.occurredAt = try instant(field)
        case .reportedAt: event.reportedAt = try instant(field)
        case .action: event.facts.action = try label(field)
        case .source: event.source = try name(field)
        case .error: event.error = try error(field)
        case .final: event.final = try claim(field)
        case .tokenMalformed: event.tokenMalformed = try claim(field)
        case .appVersion: event.appVersion = try name(field)
        case .receipt: event.receipt = try string(field)
        case .evidence: event.evidence = try name(field)
        case .category: event.facts.category = try label(field)
        case .appState: event.appState = try name(field)
        case .hasText: event.facts.hasText = try claim(field)
        case .kit: event.kit = try name(field)
        case .outcome: event.outcome = try name(field)
        case .shared: event.shared = try claim(field)
        case .dropped: event.dropped = try whole(field)
        case .sender: event.facts.sender = try label(field)
        case .providerID: event.facts.providerID = try label(field)
        case .contentAvailable: event.facts.contentAvailable = try claim(field)
        }
    }
}
