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
            observe(didBecomeActive) { becameActive(recorder) }
            observe(didEnterBackground) { enteredBackground(recorder) }
            if isActive { becameActive(recorder) } else { Task { await recorder.synchronize() } }
        }

        private static func becameActive(_ recorder: AppRecorder) {
            recorder.becameActive()
            Task {
                recorder.found(await delivered(recorder), categories: await categories())
                let (permission, settings) = await allowed()
                recorder.registrar?.change { registration in
                    registration.permission = permission
                    registration.settings = settings
                }
                await recorder.synchronize()
            }
        }

        private static func observe(_ name: Notification.Name, _ call: @escaping @MainActor () -> Void) {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                MainActor.assumeIsolated { call() }
            }
        }

        private nonisolated static func delivered(_ recorder: AppRecorder) async -> [AppRecorder.Delivered] {
            #if os(tvOS)
                []
            #else
                await UNUserNotificationCenter.current().deliveredNotifications().compactMap {
                    AppRecorder.Delivered(
                        $0.request.content.userInfo, date: $0.date, recorder: recorder.recorder)
                }
            #endif
        }

        private nonisolated static func categories() async -> Set<String> {
            #if os(tvOS)
                []
            #else
                Set(await UNUserNotificationCenter.current().notificationCategories().map(\.identifier))
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
            private static var didBecomeActive: Notification.Name {
                UIApplication.didBecomeActiveNotification
            }
            private static var didEnterBackground: Notification.Name {
                UIApplication.didEnterBackgroundNotification
            }

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
            #if canImport(AppKit)
                private static var didBecomeActive: Notification.Name {
                    NSApplication.didBecomeActiveNotification
                }
                private static var didEnterBackground: Notification.Name {
                    NSApplication.didResignActiveNotification
                }
            #else
                private static var didBecomeActive: Notification.Name { Notification.Name("landfall.active") }
                private static var didEnterBackground: Notification.Name {
                    Notification.Name("landfall.background")
                }
            #endif

            private static func enteredBackground(_ recorder: AppRecorder) {
                Task { await recorder.synchronize(within: 8) }
            }
        #endif
    }
#endif
