internal import DeliveryModel
internal import Foundation

/// An item as it was posted: every field of every type, none of them judged yet. Unknown fields are ignored.
struct PostedEvent: Decodable {
    var type: String?
    var notificationID: String?
    var sentAt: PostedInstant?

    var provider: String?
    var status: Int?
    var reason: String?
    var timestamp: PostedInstant?
    var token: String?
    var deviceID: String?
    var channel: String?
    var environment: String?
    var topic: String?
    var pushType: String?
    var priority: Int?
    var mutableContent: Bool?
    var collapseID: String?
    var campaign: String?
    var variant: String?
    var tokenKind: String?

    var occurredAt: PostedInstant?
    var reportedAt: PostedInstant?
    var action: String?
    var source: String?

    enum CodingKeys: String, CodingKey {
        case type
        case notificationID = "notification_id"
        case sentAt = "sent_at"
        case provider, status, reason, timestamp, token
        case deviceID = "device_id"
        case channel, environment, topic
        case pushType = "push_type"
        case priority
        case mutableContent = "mutable_content"
        case collapseID = "collapse_id"
        case campaign, variant
        case tokenKind = "token_kind"
        case occurredAt = "occurred_at"
        case reportedAt = "reported_at"
        case action, source
    }
}
