public import Foundation

/// What a push provider returned for one push.
public struct PushResponse: Sendable {
    /// The id that the payload contains as `landfall.id`, a UUID or any other text; with ``messageID``,
    /// `nil`.
    public var notificationID: String?
    /// The id that one payload to many devices contains as `landfall.message`.
    public var messageID: String?
    /// `apns`, `fcm`, `webpush`, …
    public var provider: String
    /// The HTTP status; 0 if there was no response.
    public var status: Int
    /// APNs' reason, unchanged.
    public var reason: String?
    /// The provider's error as it came, a JSON object or a text. FCM's contains the reason.
    public var error: Data?
    /// The `timestamp` of a 410, in milliseconds since 1970.
    public var timestamp: Int64?
    /// The device token that the push was sent to.
    public var token: String
    /// `production` or `sandbox`.
    public var environment: String?
    /// `apns-topic`.
    public var topic: String?
    /// `apns-push-type`.
    public var pushType: String?
    public var priority: Int?
    /// Whether the payload has `mutable-content: 1`; an extension runs only then.
    public var mutableContent: Bool?
    public var collapseID: String?
    public var campaign: String?
    public var variant: String?
    public var sentAt: Date

    public init(
        notificationID: String? = nil, messageID: String? = nil, provider: String, status: Int, token: String,
        sentAt: Date = Date()
    ) {
        self.notificationID = notificationID
        self.messageID = messageID
        self.provider = provider
        self.status = status
        self.token = token
        self.sentAt = sentAt
    }

    /// The item as it is posted.
    package var item: [String: Any] {
        var item: [String: Any] = [
            "type": "response", "provider": provider, "status": status, "token": token,
            "sent_at": Int64(sentAt.timeIntervalSince1970 * 1_000),
        ]
        item["notification_id"] = notificationID
        item["message_id"] = messageID
        item["reason"] = reason
        if let error {
            let object = try? JSONSerialization.jsonObject(with: error)
            item["error"] = object is [String: Any] ? object : String(decoding: error, as: UTF8.self)
        }
        item["timestamp"] = timestamp
        item["environment"] = environment
        item["topic"] = topic
        item["push_type"] = pushType
        item["priority"] = priority
        item["mutable_content"] = mutableContent
        item["collapse_id"] = collapseID
        item["campaign"] = campaign
        item["variant"] = variant
        return item
    }
}
