import Foundation
import Testing

@testable import EmbeddedPostgres

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A test's own data folder, with everything that its cluster puts elsewhere.
struct ScratchFolder {
    /// Crash safety costs time that tests do not have.
    static let settings = ["fsync": "off", "synchronous_commit": "off", "shared_buffers": "16MB"]

    let root: URL
    let dataFolder: URL

    /// Runs a test in a fresh folder, then stops the server and removes everything, however the test ends.
    static func with(_ name: String = "landfall", _ body: (ScratchFolder) throws -> Void) throws {
        let scratch = try ScratchFolder(name)
        defer { scratch.remove() }
        try body(scratch)
    }

    /// The same for an asynchronous test.
    static func with(
        _ name: String = "landfall", _ body: (ScratchFolder) async throws -> Void
    ) async throws {
        let scratch = try ScratchFolder(name)
        defer { scratch.remove() }
        try await body(scratch)
    }

    func startOrFind(
        _ extras: [String: String] = [:], environment: [String: String]? = nil
    ) throws -> EmbeddedPostgres {
        try EmbeddedPostgres.startOrFind(
            dataFolder: dataFolder,
            settings: Self.settings.merging(extras) { _, new in new },
            environment: environment ?? ProcessInfo.processInfo.environment)
    }

    func layout() throws -> ClusterLayout {
        try ClusterLayout(dataFolder: DataFolder(url: dataFolder))
    }

    func cluster() throws -> Cluster {
        try Cluster(layout: layout(), environment: ProcessInfo.processInfo.environment)
    }

    /// Returns a statement's result, read through psql; fields are separated by `|`.
    func ask(_ statement: String, of postgres: EmbeddedPostgres) throws -> String {
        let psql = try cluster().programs.path(of: "psql")
        let arguments = ["--no-psqlrc", "-At", "-c", statement, postgres.connectionURL]
        let outcome = try Command(program: psql, arguments: arguments).run()
        try #require(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    /// The process id in the cluster's pid file.
    func serverID() throws -> pid_t {
        let path = PostmasterFile.path(in: try cluster().folder)
        return try #require(PostmasterFile(try String(contentsOfFile: path, encoding: .utf8))).serverID
    }

    func isServerRunning() throws -> Bool {
        try PostmasterFile.server(of: cluster().folder) != .absent
    }

    private init(_ name: String) throws {
        root = URL(fileURLWithPath: "/tmp/landfall-test-\(UUID().uuidString)", isDirectory: true)
        dataFolder = root.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    private func remove() {
        if let layout = try? layout() {
            try? cluster().stop()
            try? FileManager.default.removeItem(atPath: layout.relocatedHome.path)
            try? FileManager.default.removeItem(atPath: layout.shortSocketFolder.path)
        }
        try? FileManager.default.removeItem(at: root)
    }
}

/// The permission bits of a path's target.
func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}
