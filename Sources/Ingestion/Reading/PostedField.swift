/// The known fields of all item types, in the order in which they are validated.
enum PostedField: Int, CaseIterable {
    case type, notificationID, messageID, sentAt
    case provider, status, reason, timestamp, token, deviceID, channel, environment, topic, pushType,
        priority,
        mutableContent, collapseID, expiresAt, campaign, variant, tokenKind
    case occurredAt, reportedAt, action, source
    case error, final, tokenMalformed
    case appVersion

    var name: String {
        switch self {
        case .type: "type"
        case .notificationID: "notification_id"
        case .messageID: "message_id"
        case .sentAt: "sent_at"
        case .provider: "provider"
        case .status: "status"
        case .reason: "reason"
        case .timestamp: "timestamp"
        case .token: "token"
        case .deviceID: "device_id"
        case .channel: "channel"
        case .environment: "environment"
        case .topic: "topic"
        case .pushType: "push_type"
        case .priority: "priority"
        case .mutableContent: "mutable_content"
        case .collapseID: "collapse_id"
        case .expiresAt: "expires_at"
        case .campaign: "campaign"
        case .variant: "variant"
        case .tokenKind: "token_kind"
        case .occurredAt: "occurred_at"
        case .reportedAt: "reported_at"
        case .action: "action"
        case .source: "source"
        case .error: "error"
        case .final: "final"
        case .tokenMalformed: "token_malformed"
        case .appVersion: "app_version"
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
        case .sentAt, .timestamp, .expiresAt, .occurredAt, .reportedAt:
            ItemRejection(.invalidInstant, "\(name) \(PostedInstant.requirement)")
        case .priority: ItemRejection(.invalidField, "priority must be a whole number")
        case .mutableContent, .final, .tokenMalformed:
            ItemRejection(.invalidField, "\(name) must be true or false")
        case .error: ItemRejection(.invalidField, "error must be the provider's error, an object or a string")
        default: ItemRejection(.invalidField, "\(name) must be a string")
        }
    }
}

struct PostedFields {
    private var bits: UInt64 = 0

    /// The first field in order of validation.
    var first: PostedField? { PostedField(rawValue: bits.trailingZeroBitCount) }

    /// Returns false if the field was already in the set.
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
