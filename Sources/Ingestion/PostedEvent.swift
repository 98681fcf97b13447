internal import DeliveryModel

/// An item as it was posted: every field of every type, none of them judged yet. Unknown fields are ignored.
struct PostedEvent {
    var type: String?
    var notificationID: PostedUUID?
    var messageID: PostedUUID?
    var sentAt: PostedInstant?

    var provider: String?
    var status: Int?
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
    /// Read so that it is right where it is given; nothing counts it yet.
    var expiresAt: PostedInstant?
    var campaign: String?
    var variant: String?
    var tokenKind: String?

    var occurredAt: PostedInstant?
    var reportedAt: PostedInstant?
    var action: String?
    var source: String?

    /// Some string holds U+0000.
    var holdsNUL = false
}
