import ArgumentParser
import Foundation
import Settings
import Testing

@testable import Dashboards

/// What `make deb`, `Dockerfile` and `compose.yaml` contain agrees with the programs. The package itself is
/// tried by `make dist-test`.
@Suite("The packages") struct PackagingTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The values of a key in a unit.
    private static func values(_ key: String, in unit: String) throws -> [String] {
        try text("packaging/systemd/\(unit)").split(separator: "\n").filter { $0.hasPrefix("\(key)=") }
            .map { String($0.dropFirst(key.count + 1)) }
    }

    @Test(
        "have units whose commands exist", arguments: ["landfall-sweep.service", "landfall-doctor.service"])
    func commands(unit: String) throws {
        let words = try #require(try Self.values("ExecStart", in: unit).first).split(separator: " ")
        #expect(words.first == "/usr/bin/landfall")
        _ = try Landfall.parseAsRoot(words.dropFirst().map(String.init))
    }

    @Test(
        "have units that can write only to one folder, gain no privilege and dump no core",
        arguments: ["landfall.service", "landfall-sweep.service", "landfall-doctor.service"])
    func restrictions(unit: String) throws {
        for (key, value) in [
            ("User", "landfall"), ("StateDirectory", "landfall"), ("ProtectSystem", "strict"),
            ("NoNewPrivileges", "yes"), ("CapabilityBoundingSet", ""), ("LimitCORE", "0"),
            ("LoadCredential", "landfall:\(PackagedServer.secrets)"),
        ] {
            #expect(try Self.values(key, in: unit) == [value], "\(key)")
        }
        #expect(
            try Self.text("packaging/systemd/\(unit)").contains("--config \(PackagedServer.configuration)\n"))
    }

    @Test("have settings that the command line understands")
    func settings() throws {
        let file = Self.root.appendingPathComponent("packaging/landfall.json").path
        let found = try FoundSettings(flags: [:], file: file, environment: ["HOME": "/nonexistent"])
        #expect(found.dataFolder.path == "/var/lib/landfall")
        #expect(found.values.databaseURL.isEmpty)
    }

    @Test("depend on the same libraries in a container as in Debian, and run as a user of their own")
    func container() throws {
        let file = try Self.text("Dockerfile")
        for library in ["libcurl4", "libpq5", "libsqlite3-0", "libstdc++6", "zlib1g"] {
            #expect(file.contains(" \(library) "))
        }
        let bases = file.split(separator: "\n").filter { $0.hasPrefix("FROM ") }
        #expect(bases == ["FROM swift:6.1-bookworm AS build", "FROM debian:12-slim"])
        let user = try #require(file.range(of: "\nUSER landfall\n"))
        let start = try #require(file.range(of: "\nENTRYPOINT [\"landfall-server\"]\n"))
        #expect(user.lowerBound < start.lowerBound)
        let compose = try Self.text("compose.yaml")
        #expect(compose.contains("\n      - landfall:/var/lib/landfall\n"))
        #expect(!compose.contains(":latest"))
    }
}

@Suite("landfall help") struct HelpTests {
    @Test("fits on one screen")
    func screen() {
        let lines = Landfall.helpMessage(columns: 80).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 53)
        #expect(lines.allSatisfy { $0.count <= 80 })
        // Each command has one line.
        #expect(lines.contains { $0.hasPrefix("  waterfall") } == false)
        #expect(lines.contains("  restore                 Restore a backup into an empty database."))
    }
}
