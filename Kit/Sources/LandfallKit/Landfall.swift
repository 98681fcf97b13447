#if canImport(UserNotifications)
    internal import Foundation
    public import LandfallApp
    internal import LandfallCore
    public import UserNotifications

    /// The app's side. Nothing is swizzled: the app calls these. Calls before ``start()`` are kept for it.
    public enum Landfall {
        static let recorder = Deferred<AppRecorder>()

        /// Call it when the app has been launched. It reads `LandfallURL`, `LandfallDeviceKey` and
        /// `LandfallAppGroup` from Info.plist, uploads what waits, and from then on follows the app into the
        /// foreground and the background.
        @MainActor public static func start() {
            guard recorder.value == nil else { return }
            let surroundings = Surroundings(
                plist: Bundle.main.infoDictionary ?? [:], secrets: { Keychain(group: $0) }, log: systemLog)
            let recorder = surroundings.appRecorder()
            guard Self.recorder.set(recorder) else { return }
            Lifecycle.follow(recorder)
        }

        // MARK: - Tokens

        /// From `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`, or PushKit (`.voip`).
        public static func didRegister(deviceToken: Data, kind: Registration.TokenKind = .alert) {
            replace(nil, with: Registration.Token(deviceToken, kind: kind))
        }

        static func replace(_ old: Registration.Token?, with new: Registration.Token?) {
            recorder.use { $0.register { $0.replace(old, with: new) } }
        }

        /// From Firebase's `messaging(_:didReceiveRegistrationToken:)`.
        public static func didRegister(firebaseToken: String) {
            recorder.use { $0.register { $0.add(.init(text: firebaseToken)) } }
        }

        /// From `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
        public static func didFailToRegister(_ error: any Error) {
            let reason = "\((error as NSError).domain) \((error as NSError).code)"
            recorder.use { $0.register { $0.error = reason } }
        }

        // MARK: - Notifications

        /// From `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
        public static func willPresent(_ notification: UNNotification) {
            let payload = Payload(notification)
            recorder.use {
                $0.presented(payload.userInfo, category: payload.category, isLocal: payload.isLocal)
            }
        }

        /// From `userNotificationCenter(_:didReceive:withCompletionHandler:)`: taps, actions and dismissals.
        public static func didReceive(_ response: UNNotificationResponse) {
            let payload = Payload(response.notification)
            let hasText = (response as? UNTextInputNotificationResponse).map { !$0.userText.isEmpty }
            let (action, isInBackground) = (response.actionIdentifier, Lifecycle.isInBackground)
            recorder.use {
                $0.responded(
                    payload.userInfo, actionIdentifier: action, hasText: hasText,
                    category: payload.category,
                    isInBackground: isInBackground, isLocal: payload.isLocal)
            }
        }

        /// From `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`: background pushes.
        public static func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) {
            let payload = Payload(userInfo: userInfo)
            recorder.use { $0.received(payload.userInfo) }
        }

        // MARK: - People

        /// - Parameters:
        ///   - tags: words by which your servers choose whom to send to.
        ///   - proof: what your backend signed for account and tags; without it, they are only claims.
        public static func signedIn(account: String, tags: [String] = [], proof: String? = nil) {
            recorder.use { $0.signIn(account: account, tags: tags, proof: proof) }
        }

        /// Retires the tokens until someone signs in. If the server cannot be reached, it is repeated later.
        public static func signedOut() async {
            guard let recorder = recorder.value else {
                return recorder.use { recorder in Task { await recorder.signOut() } }
            }
            await recorder.signOut()
        }
    }

    extension Payload {
        init(_ notification: UNNotification) {
            let request = notification.request
            self.init(
                userInfo: request.content.userInfo, category: request.content.categoryIdentifier,
                isLocal: !(request.trigger is UNPushNotificationTrigger))
        }
    }
#endif
