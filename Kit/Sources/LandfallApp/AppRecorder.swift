public import Foundation
public import LandfallCore

/// The app's side: presentations, clicks, dismissals, arrivals that only the app saw, and the registration.
public final class AppRecorder: Sendable {
    public let recorder: Recorder
    public let registrar: Registrar?
    private let folder: URL
    private let hasBeenActive = Locked(false)
    private let witnessing = Locked(())

    /// - Parameters:
    ///   - registrar: `nil` if the configuration is not valid.
    ///   - folder: the app's own.
    public init(_ recorder: Recorder, registrar: Registrar?, folder: URL) {
        self.recorder = recorder
        self.registrar = registrar
        self.folder = folder
    }

    // MARK: - Life of the app

    /// Uploads what waits, and registers if something has changed.
    ///
    /// - Parameter seconds: the time there is for the upload.
    @discardableResult
    public func synchronize(within seconds: TimeInterval = 30) async -> Uploader.Outcome {
        let outcome = await recorder.upload(within: seconds)
        await registrar?.post()
        return outcome
    }

    public func becameActive() {
        hasBeenActive.use { $0 = true }
        registrar?.becameActive()
    }

    // MARK: - Notifications

    /// The app was in the foreground and was handed the notification.
    ///
    /// - Parameter isLocal: the app had scheduled it itself.
    public func presented(_ userInfo: [AnyHashable: Any], category: String = "", isLocal: Bool = false) {
        record(.presentation, userInfo) { event in
            if !category.isEmpty { event.category = category }
            event.isLocal = isLocal
        }
    }

    /// The user tapped, chose an action, or dismissed.
    ///
    /// - Parameters:
    ///   - actionIdentifier: that of `UNNotificationResponse`; the system's own identifiers mean a tap or a
    ///     dismissal.
    ///   - hasText: whether the user typed something; `nil` if the action asks for no text.
    ///   - isInBackground: whether the app's state is now `background`.
    public func responded(
        _ userInfo: [AnyHashable: Any], actionIdentifier: String, hasText: Bool? = nil, category: String = "",
        isInBackground: Bool, isLocal: Bool = false
    ) {
        let isDismissal = actionIdentifier == Self.dismissAction
        let action = isDismissal || actionIdentifier == Self.defaultAction ? nil : actionIdentifier
        record(isDismissal ? .dismissal : .click, userInfo) { event in
            event.action = action
            event.hasText = hasText
            if !category.isEmpty { event.category = category }
            event.isLocal = isLocal
            event.appState = Self.appState(
                isInBackground: isInBackground, opensApp: !isDismissal && action == nil,
                hasBeenActive: hasBeenActive.use { $0 })
        }
    }

    /// The app was woken by a background push and saw the payload: an arrival without an extension.
    public func received(_ userInfo: [AnyHashable: Any]) {
        record(.arrival, userInfo) { $0.evidence = .app }
    }

    static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"

    /// The state in which the app was handed a response. Pure.
    ///
    /// - Parameter opensApp: a tap always opens the app; an action may.
    static func appState(isInBackground: Bool, opensApp: Bool, hasBeenActive: Bool) -> DeviceEvent.AppState {
        if isInBackground, !opensApp { return .background }
        return hasBeenActive ? .foreground : .terminated
    }

    private func record(
        _ kind: DeviceEvent.Kind, _ userInfo: [AnyHashable: Any], _ describe: (inout DeviceEvent) -> Void
    ) {
        guard var event = recorder.event(kind, of: userInfo) else { return }
        describe(&event)
        recorder.record(event)
    }

    // MARK: - The second witness

    /// A notification that the notification center shows.
    public struct Delivered {
        var payload: NotificationPayload
        var deliveredAt: Int64

        /// - Parameters:
        ///   - payload: `UNNotificationContent.userInfo`.
        ///   - date: `UNNotification.date`.
        /// - Returns: `nil` if it is not Landfall's.
        public init?(_ userInfo: [AnyHashable: Any], date: Date, recorder: Recorder) {
            guard let payload = NotificationPayload(userInfo, key: recorder.payloadKey) else { return nil }
            self.payload = payload
            deliveredAt = Int64(date.timeIntervalSince1970 * 1_000)
        }
    }

    /// Records the arrival of all notifications that the notification center shows, and that it did not show
    /// the last time: it works without an extension, and without `mutable-content`.
    ///
    /// - Parameter categories: the identifiers of those that the app has registered.
    public func found(_ delivered: [Delivered], categories: Set<String>) {
        noteMissing(of: categories, in: delivered)
        witnessing.use { _ in
            let file = folder.appendingPathComponent("shown.json")
            let known = (try? Data(contentsOf: file)).flatMap {
                try? JSONDecoder().decode(Set<String>.self, from: $0)
            }
            var shown: Set<String> = []
            for notification in delivered {
                var event = DeviceEvent(.arrival, notification.payload, at: notification.deliveredAt)
                event.evidence = .center
                let hash = StableHash(event.identity).hex
                shown.insert(hash)
                if known?.contains(hash) != true { recorder.record(event) }
            }
            guard shown != known else { return }
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? JSONEncoder().encode(shown).write(to: file, options: .atomic)
        }
    }

    /// A notification whose category is not registered shows no actions, and reports no dismissal.
    private func noteMissing(of categories: Set<String>, in delivered: [Delivered]) {
        let shown = Set(delivered.compactMap(\.payload.category))
        guard !shown.isEmpty else { return }
        let missing = shown.subtracting(categories).sorted().prefix(Self.mostMissing)
        registrar?.change { $0.missingCategories = Array(missing) }
    }

    private static let mostMissing = 20

    // MARK: - Registration

    /// Changes the registration: on disk when this returns, posted soon.
    public func register(_ change: (inout Registration) -> Void) {
        guard let registrar else { return }
        registrar.change(change)
        Task { await registrar.post() }
    }

    public func signIn(account: String, tags: [String], proof: String?) {
        guard let registrar else { return }
        registrar.signIn(account: account, tags: tags, proof: proof)
        Task { await registrar.post() }
    }

    /// The tokens retire; it returns when the server knows, or could not be reached.
    public func signOut() async {
        registrar?.signOut()
        await registrar?.post()
    }
}

extension Surroundings {
    public func appRecorder() -> AppRecorder {
        let registrar = (try? configuration.get()).map {
            Registrar(
                $0, identity: identity, transport: transport, spool: spool, folder: folder, clock: clock,
                log: log)
        }
        return AppRecorder(recorder(), registrar: registrar, folder: folder)
    }
}
