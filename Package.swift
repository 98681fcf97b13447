// swift-tools-version: 6.1
import PackageDescription

/// One set of rules for every target: Swift 6 language mode (the tools version's default), upcoming features
/// that make imports and existentials explicit, and warnings that stop the build.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-warnings-as-errors"]),
    // PostgresClient reads and writes thousands of values per batch, with code made for their types.
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// What `--version` says about this build. `make dist` names the commit and the version of Swift.
let build = Context.environment["LANDFALL_BUILD"] ?? "built from source"

/// For `make fuzz`, which is Verification's: the modules under test report their code coverage to libFuzzer.
let isFuzzing = Context.environment["LANDFALL_FUZZ"] != nil
let fuzzed = settings + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

let package = Package(
    name: "landfall",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "landfall-server", targets: ["landfall-server"]),
        .executable(name: "landfall", targets: ["landfall"]),
        // What Benchmarks and Verification, packages of their own, are built on.
        .library(
            name: "LandfallModules",
            targets: [
                "Access", "ChildPrograms", "DeliveryModel", "Basics", "Doctor",
                "EmbeddedPostgres", "Ingestion", "Maintenance", "People",
                "PostgresClient", "Reports", "SQLFiles", "Simulation", "TokenLifecycle",
                "Trust", "Vault",
            ]),
        .library(name: "TestDatabase", targets: ["TestDatabase"]),
        .library(name: "FaultProxy", targets: ["FaultProxy"]),
        .plugin(name: "EmbedSQL", targets: ["EmbedSQL"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibPQ",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CMalloc"),
        .target(
            name: "PostgresClient",
            dependencies: [
                "CLibPQ", "Basics", "SQLFiles",
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: fuzzed
        ),
        // Instants, JSON documents, wording, random numbers. Nothing here knows the domain.
        .target(name: "Basics", swiftSettings: fuzzed),
        .executableTarget(name: "sql-embedder", swiftSettings: settings),
        .plugin(
            name: "EmbedSQL", capability: .buildTool(), dependencies: ["sql-embedder"],
            path: "Sources/EmbedSQL"),
        .target(
            name: "SQLFiles", path: "sql",
            exclude: [
                "masks.txt", "lists.txt", "schema", "access", "ingestion", "tokens", "reports",
                "administration", "quarantine", "maintenance", "doctor", "roles", "stories", "people",
                "annotations", "moving", "mirror",
            ],
            swiftSettings: settings, plugins: ["EmbedSQL"]),
        .target(
            name: "EmbeddedPostgres", dependencies: ["Basics"], swiftSettings: settings
        ),
        .target(name: "CBuild", cSettings: [.define("LANDFALL_BUILD", to: "\"\(build)\"")]),
        .target(
            name: "DeliveryModel",
            dependencies: [
                "CBuild", "Basics",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: fuzzed),
        .target(
            name: "ChildPrograms",
            dependencies: [
                "EmbeddedPostgres",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // What an app's backend signs and devices show. Pure: no database.
        .target(
            name: "Trust",
            dependencies: ["Basics", "DeliveryModel", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        // What other senders post by themselves, in the form of our events. Pure: no database.
        .target(
            name: "Presets",
            dependencies: ["Basics", "DeliveryModel", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: fuzzed),
        // The token key: what it seals and finds, and the move to another.
        .target(
            name: "Vault",
            dependencies: [
                "PostgresClient", "SQLFiles", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .target(
            name: "Access",
            dependencies: [
                "DeliveryModel", "Basics", "PostgresClient", "SQLFiles", "Trust", "Vault",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "TokenLifecycle",
            dependencies: ["DeliveryModel", "Basics", "PostgresClient", "SQLFiles", "Trust", "Vault"],
            swiftSettings: settings
        ),
        // A sender's table of tokens that follows the feeds of a server.
        .target(
            name: "Mirror", dependencies: ["CSQLite", "PostgresClient", "SQLFiles"], swiftSettings: settings),
        .target(
            name: "Settings",
            dependencies: ["Basics", "DeliveryModel", "PostgresClient", "Vault"],
            swiftSettings: settings),
        // Who may use the console: people, roles, sessions, shared pages, the audit.
        .target(
            name: "People",
            dependencies: [
                "DeliveryModel", "Basics", "PostgresClient", "SQLFiles", "Trust",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        // What an app's archive contains, for `landfall kit check`.
        .target(name: "AppArchive", dependencies: ["CZlib"], swiftSettings: settings),
        .target(
            name: "Backup",
            dependencies: [
                "EmbeddedPostgres", "PostgresClient", "SQLFiles", "Vault",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Ingestion",
            dependencies: [
                "CZlib", "DeliveryModel", "Basics", "PostgresClient", "Presets", "SQLFiles",
                "TokenLifecycle", "Trust", "Vault",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: fuzzed
        ),
        .target(
            name: "Maintenance",
            dependencies: ["DeliveryModel", "Ingestion", "Basics", "PostgresClient", "SQLFiles"],
            swiftSettings: settings),
        // Whole days of notifications in files, for `landfall archive`.
        .target(
            name: "DeliveryArchive",
            dependencies: [
                "CZlib", "DeliveryModel", "Maintenance", "PostgresClient",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .target(
            name: "Reports",
            dependencies: [
                "Access", "DeliveryModel", "Basics", "PostgresClient", "SQLFiles",
                "TokenLifecycle", "Vault",
            ],
            swiftSettings: settings),
        // The senders that can be connected, and what has come of one so far.
        .target(
            name: "Connecting",
            dependencies: ["Access", "DeliveryModel", "Ingestion", "PostgresClient", "Presets", "Reports"],
            swiftSettings: settings),
        // An app's way to another cell.
        .target(
            name: "AppMove",
            dependencies: ["Access", "Basics", "DeliveryModel", "PostgresClient", "Reports", "SQLFiles"],
            swiftSettings: settings),
        // What is wrong, by rules with thresholds.
        .target(
            name: "Doctor",
            dependencies: [
                "DeliveryModel", "Basics", "PostgresClient", "Reports", "SQLFiles", "TokenLifecycle",
            ],
            swiftSettings: settings),
        // Reports as text, CSV and pages: pure, without a terminal, files or the environment.
        .target(
            name: "Rendering",
            dependencies: ["DeliveryModel", "Basics", "Doctor", "Reports", "TokenLifecycle"],
            resources: [.embedInCode("Pages/page.css")],
            swiftSettings: settings),
        .target(
            name: "Simulation", dependencies: ["Basics"],
            swiftSettings: settings),
        .target(
            name: "PrometheusMetrics",
            dependencies: [

                .product(name: "CoreMetrics", package: "swift-metrics")
            ],
            swiftSettings: settings
        ),
        // Small posts, past the router: knows HTTP and nothing of the service.
        .target(
            name: "SmallPostLane",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "LandfallServer",
            dependencies: [
                "Access", "Basics", "CMalloc", "Connecting", "DeliveryModel", "Doctor", "EmbeddedPostgres",
                "Ingestion", "Maintenance", "People", "PostgresClient", "Presets", "PrometheusMetrics",
                "Rendering", "Reports", "Settings", "SmallPostLane", "SQLFiles", "TokenLifecycle", "Trust",
                "Vault",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [
                .embedInCode("Resources/openapi.yaml"), .embedInCode("Resources/console.css"),
                .embedInCode("Resources/console.js"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "landfall-server",
            dependencies: [
                "CommandNames", "DeliveryModel", "LandfallServer", "Settings", "Basics",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Dashboards",
            dependencies: [
                "Access", "AppArchive", "AppMove", "Backup", "ChildPrograms", "CommandNames", "Connecting",
                "DeliveryArchive",
                "DeliveryModel", "Basics", "Doctor",
                "EmbeddedPostgres", "Ingestion", "Maintenance", "Mirror", "People", "PostgresClient",
                "Presets",
                "Rendering", "Reports", "Settings", "Simulation", "TokenLifecycle", "Trust", "Vault",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "dashboards-cli", exclude: ["main"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "landfall", dependencies: ["Dashboards"], path: "dashboards-cli/main",
            swiftSettings: settings),
        .target(
            name: "CommandNames",
            dependencies: [
                "Reports", "Basics",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // What tests share: a database of their own each, cloned from a template.
        .target(
            name: "TestDatabase",
            dependencies: [
                "Access", "DeliveryModel", "EmbeddedPostgres", "PostgresClient", "SQLFiles",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestDatabase",
            swiftSettings: settings
        ),
        // A bad network and a database server that may be killed.
        .target(
            name: "FaultProxy", dependencies: ["ChildPrograms", "EmbeddedPostgres"], path: "Tests/FaultProxy",
            swiftSettings: settings),
        .target(
            name: "TestBrowser", dependencies: ["ChildPrograms"], path: "Tests/TestBrowser",
            swiftSettings: settings),
        .testTarget(
            name: "AppArchiveTests", dependencies: ["AppArchive", "CZlib"], swiftSettings: settings),
        .testTarget(
            name: "DeliveryModelTests",
            dependencies: ["DeliveryModel", "Basics"],
            swiftSettings: settings),
        .testTarget(
            name: "TrustTests", dependencies: ["Basics", "DeliveryModel", "Trust"], exclude: ["vectors.json"],
            swiftSettings: settings),
        .testTarget(
            name: "PresetsTests",
            dependencies: [
                "Basics", "Presets", .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["goldens"], swiftSettings: settings),
        .testTarget(
            name: "SimulationTests", dependencies: ["Basics", "Simulation"],
            swiftSettings: settings),
        .testTarget(
            name: "EmbeddedPostgresTests", dependencies: ["EmbeddedPostgres", "FaultProxy"],
            swiftSettings: settings),
        .testTarget(
            name: "PostgresClientTests",
            dependencies: [
                "FaultProxy", "Basics", "PostgresClient", "SQLFiles", "TestDatabase",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["schema.txt"], swiftSettings: settings),
        .testTarget(
            name: "IngestionTests",
            dependencies: [
                "DeliveryModel", "Ingestion", "Basics", "PostgresClient", "Presets", "Reports",
                "SQLFiles", "TestDatabase", "TokenLifecycle", "Trust", "Vault",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MaintenanceTests",
            dependencies: [
                "DeliveryArchive", "DeliveryModel", "Ingestion", "Basics", "Maintenance", "PostgresClient",
                "Reports",
                "SQLFiles", "TestDatabase", "TokenLifecycle", "Vault",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TokenLifecycleTests",
            dependencies: [
                "DeliveryModel", "Basics", "PostgresClient", "SQLFiles", "TestDatabase", "TokenLifecycle",
                "Trust", "Vault",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MirrorTests",
            dependencies: ["ChildPrograms", "Mirror", "PostgresClient", "SQLFiles", "TestDatabase"],
            swiftSettings: settings),
        .testTarget(
            name: "AppMoveTests",
            dependencies: [
                "Access", "AppMove", "DeliveryModel", "Doctor", "FaultProxy", "Ingestion", "Maintenance",
                "PostgresClient", "Reports", "TestDatabase", "TokenLifecycle", "Vault",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "Access", "DeliveryModel", "Basics", "Doctor", "PostgresClient", "Reports",
                "SQLFiles", "TestDatabase", "TokenLifecycle",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PeopleTests",
            dependencies: [
                "Access", "DeliveryModel", "Basics", "People", "PostgresClient", "Reports", "TestDatabase",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: [
                "PrometheusMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SmallPostLaneTests",
            dependencies: [
                "SmallPostLane",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LandfallServerTests",
            dependencies: [
                "Access", "AppMove", "Basics", "ChildPrograms", "Connecting", "DeliveryModel", "Doctor",
                "EmbeddedPostgres", "FaultProxy", "Ingestion", "LandfallServer", "Maintenance", "People",
                "PostgresClient", "Presets", "PrometheusMetrics", "Rendering", "Reports", "Settings",
                "Simulation",
                "SmallPostLane", "SQLFiles", "TestBrowser", "TestDatabase", "TokenLifecycle", "Trust",
                "Vault",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: [
                "Operation/server-signals.py", "Reporting/schemathesis.toml", "Reporting/generated-client.py",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Access", "Backup", "ChildPrograms", "CommandNames", "Connecting", "Dashboards",
                "DeliveryModel", "Basics", "Doctor", "EmbeddedPostgres", "FaultProxy", "Ingestion",
                "Maintenance", "People", "PostgresClient", "Presets", "Rendering", "Reports", "Settings",
                "Simulation",
                "SQLFiles", "TestBrowser", "TestDatabase", "TokenLifecycle", "Trust", "Vault",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: [
                "Doctor/Golden", "Explaining/Golden", "Reporting/Golden", "Watching/Golden",
                "Operating/duckdb-archive.py", "Watching/watch-terminal.py", "terminal-output.py",
            ], swiftSettings: settings),
    ]
)
