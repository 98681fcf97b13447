public import Foundation

// Declarations of Apple's UIKit, as far as the kit uses them. None does anything.
public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
    public static let invalid = UIBackgroundTaskIdentifier()
}
@MainActor open class UIApplication: NSObject {
    public enum State: Int, Sendable { case active, inactive, background }
    public static var shared: UIApplication { UIApplication() }
    public var applicationState: State { .active }
    public nonisolated static let didBecomeActiveNotification = Notification.Name("active")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("background")
    public func beginBackgroundTask(
        withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier { .invalid }
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
