import LandfallExtension

/// The drop-in form. `NotificationServiceWithPicture.swift` has the form for extensions that do something
/// themselves.
final class NotificationService: LandfallNotificationService {}
