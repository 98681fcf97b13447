internal import EmbeddedPostgres
public import Foundation

/// A copy of the installed PostgreSQL, which a test can upgrade under a running server as a package manager
/// does.
public struct CopiedPrograms: Sendable {
    /// The folder of the programs, for `LANDFALL_PG_BIN`.
    public let bin: URL
    /// The version after ``upgrade()``. It has the same length because it is written into the programs.
    public let upgradedVersion: String

    private let root: URL
    private let library: URL
    private let version: String

    public init() throws {
        let installed = try EmbeddedPostgres.installedPrograms()
        func configured(_ option: String) throws -> String {
            try Self.output(of: installed.appendingPathComponent("pg_config").path, option)
        }
        // PostgreSQL finds its own folders relative to its program's, if the paths agree with those it was
        // built for.
        root = URL(fileURLWithPath: "/tmp/landfall-programs-\(UUID().uuidString)", isDirectory: true)
        bin = URL(fileURLWithPath: root.path + (try configured("--bindir")))
        library = URL(fileURLWithPath: root.path + (try configured("--pkglibdir")))
        let share = try configured("--sharedir")
        version = try Self.output(of: installed.appendingPathComponent("postgres").path, "--version")
            .replacing("postgres (PostgreSQL) ", with: "")
        upgradedVersion = Self.next(version)

        let files = FileManager.default
        for folder in [bin, library, URL(fileURLWithPath: root.path + share)] {
            try files.createDirectory(
                at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        try files.copyItem(atPath: try configured("--bindir"), toPath: bin.path)
        try files.copyItem(atPath: try configured("--pkglibdir"), toPath: library.path)
        try files.createSymbolicLink(atPath: root.path + share, withDestinationPath: share)
    }

    public func remove() { try? FileManager.default.removeItem(at: root) }

    /// Removes the library that the server needs for functions, as in the middle of an upgrade.
    public func removeLibrary() throws {
        try FileManager.default.moveItem(at: plpgsql, to: plpgsqlAside)
    }

    /// Replaces the programs and the library with new files. A running server keeps the old ones.
    public func upgrade() throws {
        let (old, new) = (Data(version.utf8), Data(upgradedVersion.utf8))
        for name in try FileManager.default.contentsOfDirectory(atPath: bin.path) {
            let program = bin.appendingPathComponent(name)
            var bytes = try Data(contentsOf: program)
            var start = bytes.startIndex
            while let found = bytes.range(of: old, in: start..<bytes.endIndex) {
                bytes.replaceSubrange(found, with: new)
                start = found.upperBound
            }
            let unpacked = bin.appendingPathComponent(name + ".new")
            try bytes.write(to: unpacked)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: unpacked.path)
            guard rename(unpacked.path, program.path) == 0 else { throw NotUpgraded(name: name) }
        }
        if FileManager.default.fileExists(atPath: plpgsqlAside.path) {
            try FileManager.default.moveItem(at: plpgsqlAside, to: plpgsql)
        }
    }

    private var plpgsql: URL { library.appendingPathComponent("plpgsql.so") }
    private var plpgsqlAside: URL { library.appendingPathComponent("plpgsql.aside") }

    struct NotUpgraded: Error {
        let name: String
    }

    /// The version with another last digit.
    private static func next(_ version: String) -> String {
        guard let last = version.lastIndex(where: \.isNumber), let digit = version[last].wholeNumberValue
        else { return version }
        var next = version
        next.replaceSubrange(last...last, with: String(digit == 9 ? 8 : digit + 1))
        return next
    }

    private static func output(of program: String, _ argument: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [argument]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
