import LandfallExtension
import UserNotifications

/// The explicit form: an extension with work of its own, or with the base class of another vendor. To use it,
/// name this class in `NSExtensionPrincipalClass`.
///
/// It is `Sendable` because the download, which is all that runs on another thread, changes the content
/// before it shows it.
final class NotificationServiceWithPicture: UNNotificationServiceExtension, @unchecked Sendable {
    private var handler: ((UNNotificationContent) -> Void)?
    private var content = UNMutableNotificationContent()

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler handler: @escaping (UNNotificationContent) -> Void
    ) {
        // First: the arrival is on disk when this returns.
        let run = Landfall.received(request)
        self.handler = handler
        content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
        guard let text = content.userInfo["picture"] as? String, let url = URL(string: text) else {
            return run.finish { self.show() }
        }
        URLSession.shared.downloadTask(with: url) { file, response, _ in
            // iOS would reject the file under the name of the download, which ends in .tmp.
            let picture = file.flatMap { Landfall.attachment($0, response) }
            self.content.attachments = picture.map { [$0] } ?? []
            run.finish(picture == nil ? .attachmentFailed : nil) { self.show() }
        }.resume()
    }

    override func serviceExtensionTimeWillExpire() {
        Landfall.expired()
        show()
    }

    private func show() {
        handler?(content)
        handler = nil
    }
}
