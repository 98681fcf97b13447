@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif

// Declarations of Apple's UserNotifications, as far as the kit uses them. None does anything. They are not
// Sendable, as there.
open class UNNotificationContent: NSObject {
    public var userInfo: [AnyHashable: Any] { [:] }
    public var categoryIdentifier: String { "" }
}
open class UNMutableNotificationContent: UNNotificationContent {
    public var attachments: [UNNotificationAttachment] = []
}
open class UNNotificationAttachment: NSObject {
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {}
}
open class UNNotificationTrigger: NSObject {}
open class UNPushNotificationTrigger: UNNotificationTrigger {}
open class UNNotificationRequest: NSObject {
    public var content: UNNotificationContent { UNNotificationContent() }
    public var trigger: UNNotificationTrigger? { nil }
}
open class UNNotification: NSObject {
    public var date: Date { Date() }
    public var request: UNNotificationRequest { UNNotificationRequest() }
}
open class UNNotificationResponse: NSObject {
    public var notification: UNNotification { UNNotification() }
    public var actionIdentifier: String { "" }
}
open class UNTextInputNotificationResponse: UNNotificationResponse {
    public var userText: String { "" }
}
open class UNNotificationServiceExtension: NSObject {
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
    open func serviceExtensionTimeWillExpire() {}
}
public enum UNNotificationSetting: Int, Sendable { case notSupported, disabled, enabled }
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, authorized, provisional, ephemeral
}
open class UNNotificationSettings: NSObject {
    public var authorizationStatus: UNAuthorizationStatus { .authorized }
    public var alertSetting: UNNotificationSetting { .enabled }
    public var badgeSetting: UNNotificationSetting { .enabled }
    public var soundSetting: UNNotificationSetting { .enabled }
    public var lockScreenSetting: UNNotificationSetting { .enabled }
    public var notificationCenterSetting: UNNotificationSetting { .enabled }
}
open class UNNotificationCategory: NSObject { public var identifier: String { "" } }
// Apple declares it so.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    public class func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }
    public func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings() }
    public func deliveredNotifications() async -> [UNNotification] { [] }
    public func notificationCategories() async -> Set<UNNotificationCategory> { [] }
}
