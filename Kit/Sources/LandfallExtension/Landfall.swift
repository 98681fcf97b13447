#if canImport(UserNotifications)
    public import Foundation
    public import LandfallCore
    public import UserNotifications

    /// The calls for extensions with work of their own, or with another vendor's base class. All others use
    /// ``LandfallNotificationService``.
    public enum Landfall {
        private static let recorder = Surroundings(
            plist: Bundle.main.infoDictionary ?? [:], secrets: { Keychain(group: $0) }, log: systemLog
        ).recorder()
        private static let runs = Locked<[ExtensionRun]>([])

        /// Call it first in `didReceive(_:withContentHandler:)`: it returns when the arrival is on disk.
        public static func received(_ request: UNNotificationRequest) -> ExtensionRun {
            let run = ExtensionRun(request.content.userInfo, recorder: recorder)
            runs.use { runs in
                runs.removeAll(where: \.isFinished)
                runs.append(run)
            }
            return run
        }

        /// A downloaded file as an attachment, renamed by its type; `nil` if a notification cannot show it.
        public static func attachment(_ file: URL, _ response: URLResponse?) -> UNNotificationAttachment? {
            AttachmentFile.named(file, response).flatMap {
                try? UNNotificationAttachment(identifier: "", url: $0)
            }
        }

        /// Call it in `serviceExtensionTimeWillExpire()`, before the content handler: unfinished runs expire.
        public static func expired() {
            for run in runs.use({ $0 }) { run.expire() }
        }
    }
#endif
