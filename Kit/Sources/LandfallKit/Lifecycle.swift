#if canImport(UserNotifications)
    internal import Foundation
    internal import LandfallApp
    internal import LandfallCore
    internal import UserNotifications
    #if canImport(UIKit)
        internal import UIKit
    #elseif canImport(AppKit)
        internal import AppKit
    #endif

    /// Uploads when the app is launched, comes to the foreground and leaves it.
    @MainActor enum Lifecycle {
        static func follow(_ recorder: AppRecorder) {
            #if canImport(UIKit) && !os(watchOS)
                observe(UIApplication.didBecomeActiveNotification) { becameActive(recorder) }
                observe(UIApplication.didEnterBackgroundNotification) { enteredBackground(recorder) }
            #elseif canImport(AppKit)
                observe(NSApplication.didBecomeActiveNotification) { becameActive(recorder) }
                observe(NSApplication.didResignActiveNotification) { enteredBackground(recorder) }
            #endif
            if isActive { becameActive(recorder) } else { Task { await recorder.synchronize() } }
        }

        private static func becameActive(_ recorder: AppRecorder) {
            recorder.becameActive()
            Task {
                await lookAround(recorder)
                let (permission, settings) = await allowed()
                recorder.registrar?.change { ($0.permission, $0.settings) = (permission, settings) }
                await recorder.synchronize()
            }
        }

        private static func observe(_ name: Notification.Name, _ call: @escaping @MainActor () -> Void) {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                MainActor.assumeIsolated { call() }
            }
        }

        /// What the notification center shows, and the registered categories. Apple TV has neither.
        private nonisolated static func lookAround(_ recorder: AppRecorder) async {
            #if !os(tvOS)
                let center = UNUserNotificationCenter.current()
                let shown = await center.deliveredNotifications().compactMap {
                    AppRecorder.Delivered(
                        $0.request.content.userInfo, date: $0.date, recorder: recorder.recorder)
                }
                recorder.found(
                    shown, categories: Set(await center.notificationCategories().map(\.identifier)))
            #endif
        }

        private nonisolated static func allowed() async -> (permission: String, settings: [String: Bool]) {
            let settings = await UNUserNotificationCenter.current().notificationSettings()
            var allowed: [String: Bool] = [:]
            func note(_ name: String, _ setting: UNNotificationSetting) {
                if setting != .notSupported { allowed[name] = setting == .enabled }
            }
            note("badge", settings.badgeSetting)
            #if !os(tvOS)
                note("alert", settings.alertSetting)
                note("sound", settings.soundSetting)
                note("notification_center", settings.notificationCenterSetting)
            #endif
            #if !os(tvOS) && !os(watchOS)
                note("lock_screen", settings.lockScreenSetting)
            #endif
            return (name(settings.authorizationStatus), allowed)
        }

        private nonisolated static func name(_ status: UNAuthorizationStatus) -> String {
            switch status {
            case .notDetermined: "not_determined"
            case .denied: "denied"
            case .provisional: "provisional"
            #if os(iOS)
                case .ephemeral: "ephemeral"
            #endif
            default: "authorized"
            }
        }

        #if canImport(UIKit) && !os(watchOS)
            nonisolated static var isInBackground: Bool {
                // The system calls some variants of the delegate's functions on other threads.
                func ask() -> Bool {
                    MainActor.assumeIsolated { UIApplication.shared.applicationState == .background }
                }
                return Thread.isMainThread ? ask() : DispatchQueue.main.sync(execute: ask)
            }
            private static var isActive: Bool { UIApplication.shared.applicationState == .active }

            private static func enteredBackground(_ recorder: AppRecorder) {
                var task = UIBackgroundTaskIdentifier.invalid
                func end() {
                    UIApplication.shared.endBackgroundTask(task)
                    task = .invalid
                }
                task = UIApplication.shared.beginBackgroundTask(withName: "Landfall") { end() }
                Task {
                    await recorder.synchronize(within: 8)
                    end()
                }
            }
        #else
            // The system neither suspends Mac apps nor tells where a response is handled.
            nonisolated static var isInBackground: Bool { false }
            private static var isActive: Bool { true }

            private static func enteredBackground(_ recorder: AppRecorder) {
                Task { await recorder.synchronize(within: 8) }
            }
        #endif
    }
#endif
