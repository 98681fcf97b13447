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

/// `make bench`, apart from the product: it shares the product's build folder and runs its programs.
let package = Package(
    name: "landfall-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "landfall", path: ".."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "landfall-bench",
            dependencies: [
                .product(name: "LandfallModules", package: "landfall"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Resources/drive.lua")],
            swiftSettings: settings, plugins: [.plugin(name: "EmbedSQL", package: "landfall")]
        ),
        .testTarget(
            name: "BenchTests",
            dependencies: [
                "landfall-bench",
                .product(name: "LandfallModules", package: "landfall"),
                .product(name: "TestDatabase", package: "landfall"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
    ]
)
