// swift-tools-version: 6.0
import PackageDescription

/// Type-checks the kit's files for Apple's frameworks where there are none, against declarations of the few
/// types that they use. It is a package of its own, so that no stub ships: `Kit/CHECKLIST.md` lists what only
/// a Mac can check.
let settings: [SwiftSetting] = [.define("LANDFALL_STUBS"), .unsafeFlags(["-warnings-as-errors"])]

let package = Package(
    name: "landfall-kit-stubs",
    products: [
        .library(
            name: "Checked",
            targets: ["ExampleExtension", "LandfallExtension", "LandfallKit", "LandfallSender"])
    ],
    targets: [
        .systemLibrary(name: "CLandfallZlib"),
        .target(name: "Security", swiftSettings: settings),
        .target(name: "UserNotifications", swiftSettings: settings),
        .target(name: "UIKit", swiftSettings: settings),
        .target(name: "ActivityKit", swiftSettings: settings),
        // The kit's own sources, by links.
        .target(
            name: "LandfallCore", dependencies: ["CLandfallZlib", "Security"],
            exclude: ["PrivacyInfo.xcprivacy"], swiftSettings: settings),
        .target(name: "LandfallApp", dependencies: ["LandfallCore"], swiftSettings: settings),
        .target(
            name: "LandfallExtension", dependencies: ["LandfallCore", "UserNotifications"],
            swiftSettings: settings),
        .target(
            name: "LandfallKit",
            dependencies: ["ActivityKit", "LandfallApp", "LandfallCore", "UIKit", "UserNotifications"],
            swiftSettings: settings),
        .target(
            name: "ExampleExtension", dependencies: ["LandfallExtension", "UserNotifications"],
            exclude: ["Info.plist", "NotificationService.entitlements"], swiftSettings: settings),
        .target(name: "LandfallSender", dependencies: ["LandfallCore"], swiftSettings: settings),
    ]
)
