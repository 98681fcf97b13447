/// Warnings about a valid item that was recorded but is probably not what its sender meant: see ``all``.
///
/// The bits above the warnings are the class of an unlisted reason and the fields that could not be read, so
/// that a verdict remains one number.
public struct ItemWarnings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let unlistedReason = ItemWarnings(rawValue: 1 << 0)
    public static let unregisteredToken = ItemWarnings(rawValue: 1 << 1)
    public static let idOlderThanSentAt = ItemWarnings(rawValue: 1 << 2)
    public static let noOccurredAt = ItemWarnings(rawValue: 1 << 3)
    public static let otherTopic = ItemWarnings(rawValue: 1 << 4)
    public static let otherEnvironment = ItemWarnings(rawValue: 1 << 5)
    public static let ambiguousToken = ItemWarnings(rawValue: 1 << 6)
    public static let reusedID = ItemWarnings(rawValue: 1 << 7)
    public static let impossibleTime = ItemWarnings(rawValue: 1 << 8)
    public static let unreadField = ItemWarnings(rawValue: 1 << 9)

    private static let classBit: UInt64 = 16
    private static let firstFieldBit = 20
    public static let mostFields = 64 - firstFieldBit

    /// The reason is not listed, and counts as this class.
    public static func unlistedReason(as rejectionClass: RejectionClass) -> ItemWarnings {
        [.unlistedReason, ItemWarnings(rawValue: UInt64(rejectionClass.position + 1) << classBit)]
    }

    /// The field, by its number, could not be read and was left out.
    public static func unreadField(_ number: Int) -> ItemWarnings {
        [.unreadField, ItemWarnings(rawValue: 1 << UInt64(firstFieldBit + number))]
    }

    public var unreadFields: [Int] {
        (0..<Self.mostFields).filter { rawValue & 1 << UInt64(Self.firstFieldBit + $0) != 0 }
    }

    private var unlistedClass: RejectionClass? {
        let position = Int(rawValue >> Self.classBit & 15)
        return position == 0 ? nil : .at(position - 1)
    }

    /// Each warning with its code and its meaning and remedy.
    public static let all: [(warning: ItemWarnings, code: String, detail: String)] = [
        (
            .unlistedReason, "unlisted_reason",
            "this reason is not listed, so it changes no token; post the provider's error unchanged in error (FCM's error "
                + "object, APNs' body), or the provider's own word in reason"
        ),
        (
            .unregisteredToken, "unregistered_token",
            "no app has registered this token: register it with PUT /v1/devices/{device_id}, with the same "
                + "kind, environment and topic"
        ),
        (
            .idOlderThanSentAt, "id_older_than_sent_at",
            "the id was created more than a day before sent_at; sent_at counts. Create the id when the push "
                + "is sent"
        ),
        (
            .noOccurredAt, "no_occurred_at",
            "without occurred_at, the time of receipt is used, so the latency includes the wait for a "
                + "network; post occurred_at, and reported_at to correct the device's clock"
        ),
        (
            .otherTopic, "other_topic",
            "this token is registered under another topic, kind or provider: compare the topic of the push with the bundle id that "
                + "the app registers, and the provider with the kind"
        ),
        (
            .otherEnvironment, "other_environment",
            "this token is registered in the other environment: compare the environment of the push with that of the build. The "
                + "response is kept with the registered token and does not change its state"
        ),
        (
            .ambiguousToken, "ambiguous_token",
            "the app registers this value under several topics, so the response changes none of these tokens: post the topic "
                + "that the push was sent to"
        ),
        (
            .reusedID, "reused_id",
            "a push to another device has this notification_id, so both count as one: give every push an id of its own. If one "
                + "payload goes to many devices, post its id as message_id; if two senders use the same numbers, prefix them"
        ),
        (
            .impossibleTime, "impossible_time",
            "occurred_at is later than reported_at or than the receipt, or before the push was sent, so the time of receipt is used; "
                + "read both from the same clock, reported_at when the event is uploaded"
        ),
        (
            .unreadField, "unread_field",
            "a field could not be read, so the item is recorded without it; see the format of the field"
        ),
    ]

    /// The warnings of one item, with advice about this item and the names of fields by their numbers.
    public func notes(fieldName: (Int) -> String) -> [(code: String, detail: String)] {
        Self.all.filter { contains($0.warning) }.map { warning, code, detail in
            switch warning {
            case .unlistedReason:
                (code, unlistedClass.map { "it counts as \($0.rawValue): \(detail)" } ?? detail)
            case .unreadField:
                (
                    code,
                    unreadFields.isEmpty
                        ? detail : "\(unreadFields.map(fieldName).joined(separator: ", ")): \(detail)"
                )
            default: (code, detail)
            }
        }
    }
}
