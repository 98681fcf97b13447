/// Warnings about a valid item that was recorded but is probably not what its sender meant.
public struct ItemWarnings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The reason is on no list; it harms no token.
    public static let unlistedReason = ItemWarnings(rawValue: 1 << 0)
    /// No app has registered the token that the response names.
    public static let unregisteredToken = ItemWarnings(rawValue: 1 << 1)
    /// The id was created long before the push was sent.
    public static let idOlderThanSentAt = ItemWarnings(rawValue: 1 << 2)
    /// A device event does not say when it happened.
    public static let noOccurredAt = ItemWarnings(rawValue: 1 << 3)
    /// The token is registered under another topic or kind.
    public static let otherTopic = ItemWarnings(rawValue: 1 << 4)

    /// Each warning with its code and advice.
    public static let all: [(warning: ItemWarnings, code: String, detail: String)] = [
        (
            .unlistedReason, "unlisted_reason",
            "this reason is on no list, so it counts as unknown and changes no token; post the provider's "
                + "error unchanged in error (FCM's error object, APNs' body), or the provider's own word in "
                + "reason"
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
            "this token is registered under another topic or kind: compare the topic of the push with the bundle id that the app "
                + "registers"
        ),
    ]
}
