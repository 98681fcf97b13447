#if canImport(UserNotifications)
    public import LandfallCore
    public import UserNotifications

    /// A notification service extension that reports arrivals. An extension without work of its own:
    ///
    /// ```swift
    /// import LandfallExtension
    /// final class NotificationService: LandfallNotificationService {}
    /// ```
    ///
    /// To change the notification, override ``prepare(_:of:show:)``.
    open class LandfallNotificationService: UNNotificationServiceExtension {
        private var run: ExtensionRun?
        private var handler: ((UNNotificationContent) -> Void)?
        private var content: UNNotificationContent?

        public final override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let run = Landfall.received(request)
            self.run = run
            handler = contentHandler
            content = request.content
            prepare(request.content, of: request) { content, outcome in
                run.finish(outcome) { contentHandler(content) }
            }
        }

        public final override func serviceExtensionTimeWillExpire() {
            guard let run, let handler, let content else { return }
            run.expire { handler(content) }
        }

        /// Override it to change the notification, for example to attach a picture, and call `show` once.
        ///
        /// - Parameters:
        ///   - show: shows the content. Pass `.attachmentFailed` if it lacks what it should have.
        open func prepare(
            _ content: UNNotificationContent, of request: UNNotificationRequest,
            show: @escaping (UNNotificationContent, DeviceEvent.Outcome?) -> Void
        ) {
            show(content, nil)
        }
    }
#endif
