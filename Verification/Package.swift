// swift-tools-version: 6.1
import PackageDescription

/// The same rules as in Landfall's own package.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-warnings-as-errors"]),
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// `make fuzz` adds the program that libFuzzer drives.
let isFuzzing = Context.environment["LANDFALL_FUZZ"] != nil
let modules: Target.Dependency = .product(name: "LandfallModules", package: "landfall")

/// `make soak`, `make fuzz` and their tests, apart from the product: random histories compared with an
/// independent model, and attacks with the device key.
let package = Package(
    name: "landfall-verification",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "landfall", path: ".."),
        .package(name: "landfall-kit", path: "../Kit"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        // Random histories and their expected results.
        .target(
            name: "ReferenceModel",
            dependencies: [
                modules,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings, plugins: [.plugin(name: "EmbedSQL", package: "landfall")]
        ),
        // Phones with the kit, killed at random, on a bad network.
        .executableTarget(
            name: "landfall-phone", dependencies: [.product(name: "LandfallCore", package: "landfall-kit")],
            swiftSettings: settings),
        .target(
            name: "KitTrials",
            dependencies: [
                modules,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings, plugins: [.plugin(name: "EmbedSQL", package: "landfall")]),
        // Two cells, whose databases and servers are killed, and an app that moves between them.
        .target(
            name: "CellTrials",
            dependencies: [
                "ReferenceModel", modules,
                .product(name: "FaultProxy", package: "landfall"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings, plugins: [.plugin(name: "EmbedSQL", package: "landfall")]),
        .executableTarget(
            name: "landfall-soak",
            dependencies: [
                "CellTrials", "KitTrials", "ReferenceModel", modules,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // Rules that hold for any bytes.
        .target(
            name: "FuzzChecks", dependencies: [modules],
            swiftSettings: settings + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])),
        .testTarget(
            name: "ModelTests",
            dependencies: [
                "CellTrials", "KitTrials", "landfall-phone", "ReferenceModel", modules,
                .product(name: "TestDatabase", package: "landfall"),
            ],
            swiftSettings: settings),
        // Devices that post with a device key: a carrier's, an attacker's, and signed ones.
        .testTarget(
            name: "DeviceKeyTests",
            dependencies: [
                modules,
                .product(name: "TestDatabase", package: "landfall"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzChecks", modules], swiftSettings: settings),
    ]
)

if isFuzzing {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer"),
        .executableTarget(
            name: "landfall-fuzz", dependencies: ["CLibFuzzer", "FuzzChecks"], swiftSettings: settings),
    ]
}
