/// What a user can turn off, while the app may still send.
public enum NotificationSetting: String, CaseIterable, Sendable {
    case alert
    case sound
    case badge
    case lockScreen = "lock_screen"
    case notificationCenter = "notification_center"
}
