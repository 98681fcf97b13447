// swift-tools-version: 6.0
import PackageDescription

/// The side of Landfall that runs on devices, and in servers that send. No dependencies: an app resolves
/// nothing else.
let package = Package(
    name: "landfall-kit",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "LandfallExtension", targets: ["LandfallExtension"]),
        .library(name: "LandfallKit", targets: ["LandfallKit"]),
        .library(name: "LandfallSender", targets: ["LandfallSender"]),
        .library(name: "LandfallCore", targets: ["LandfallApp", "LandfallCore"]),
    ],
    targets: [
        .systemLibrary(name: "CLandfallZlib", providers: [.apt(["zlib1g-dev"])]),
        // Everything that decides, without a framework of Apple's: what extensions need, and what only the
        // app does.
        .target(
            name: "LandfallCore", dependencies: ["CLandfallZlib"], resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        .target(name: "LandfallApp", dependencies: ["LandfallCore"]),
        .target(name: "LandfallExtension", dependencies: ["LandfallCore"]),
        .target(name: "LandfallKit", dependencies: ["LandfallApp", "LandfallCore"]),
        .target(name: "LandfallSender", dependencies: ["LandfallCore"]),
        .testTarget(
            name: "LandfallCoreTests", dependencies: ["LandfallApp", "LandfallCore", "LandfallSender"],
            exclude: ["Fixtures"]),
    ]
)
