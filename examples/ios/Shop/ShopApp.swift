import LandfallKit
import SwiftUI
import UIKit
import UserNotifications

@main
struct ShopApp: App {
    @UIApplicationDelegateAdaptor private var delegate: AppDelegate

    var body: some Scene {
        WindowGroup { ContentView() }
    }
}

struct ContentView: View {
    var body: some View {
        VStack(spacing: 16) {
            Text("Shop")
            Button("Allow notifications") {
                Task {
                    let center = UNUserNotificationCenter.current()
                    _ = try? await center.requestAuthorization(options: [.alert, .sound, .badge])
                    UIApplication.shared.registerForRemoteNotifications()
                }
            }
            Button("Sign in") { Landfall.signedIn(account: "u_42", proof: nil) }
            Button("Sign out") { Task { await Landfall.signedOut() } }
        }
    }
}

final class AppDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        // Before the delegate is set: a tap that launched the app is delivered to it.
        Landfall.start()
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "order", actions: [UNNotificationAction(identifier: "track", title: "Track")],
                intentIdentifiers: [], options: .customDismissAction)
        ])
        // At every launch: tokens change.
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
    ) {
        Landfall.didRegister(deviceToken: token)
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        Landfall.didFailToRegister(error)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        Landfall.willPresent(notification)
        return [.banner, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        Landfall.didReceive(response)
    }
}
