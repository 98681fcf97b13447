/// The id by which a payload names its notification: any text, which is posted as the sender wrote it. The
/// server knows what is the same id.
public enum NotificationName: Equatable, Sendable {
    /// The id of this notification alone, `landfall.id` in the payload.
    case notification(String)
    /// The id that one payload to many devices has, `landfall.message`. The server derives the notification
    /// from it and the device.
    case message(String)

    var id: String {
        switch self {
        case .notification(let id), .message(let id): id
        }
    }

    /// The field of an event that names it.
    var field: String {
        switch self {
        case .notification: "notification_id"
        case .message: "message_id"
        }
    }
}
