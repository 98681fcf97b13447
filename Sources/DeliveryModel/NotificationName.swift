public import Foundation

/// How an event identifies its notification.
public enum NotificationName: Hashable, Sendable {
    /// The id that the sender chose for this one push.
    case notification(UUID)
    /// The id that all pushes with one payload share, and the device of this one. In a response about a
    /// token, the device is `nil`: the holder of the token is meant.
    case message(UUID, deviceID: UUID?)

    /// The id that the sender chose.
    public var id: UUID {
        switch self {
        case .notification(let id), .message(let id, _): id
        }
    }

    /// The notification's own id; `nil` if only a token identifies the device.
    public var notificationID: UUID? {
        switch self {
        case .notification(let id): id
        case .message(let id, let deviceID?): .notification(ofMessage: id, toDevice: deviceID)
        case .message(_, nil): nil
        }
    }
}
