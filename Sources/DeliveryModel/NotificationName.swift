public import Foundation

/// How an event says which notification it is about.
public enum NotificationName: Hashable, Sendable {
    /// By the id that the sender chose for this one push.
    case notification(UUID)
    /// By the id that all pushes of one payload share, and the device this one was for. Nil in an answer about a token: whoever
    /// holds the token was meant.
    case message(UUID, deviceID: UUID?)

    /// What the sender chose.
    public var id: UUID {
        switch self {
        case .notification(let id), .message(let id, _): id
        }
    }

    /// The notification's own id; nil while only a token says which device is meant.
    public var notificationID: UUID? {
        switch self {
        case .notification(let id): id
        case .message(let id, let deviceID?): .notification(ofMessage: id, toDevice: deviceID)
        case .message(_, nil): nil
        }
    }
}
