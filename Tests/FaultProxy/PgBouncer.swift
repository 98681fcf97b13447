internal import ChildPrograms
internal import Foundation

/// PgBouncer in transaction mode between Landfall and PostgreSQL: a session serves another client as soon as
/// its transaction ends. `make setup` installs the program.
public struct PgBouncer: Sendable {
    public struct NotFound: Error, CustomStringConvertible {
        public let description = "pgbouncer is neither in .build-tools nor in PATH: make setup installs it"
    }

    public struct NotStarted: Error, CustomStringConvertible {
        public let description: String
    }

    private let folder: ThrowawayFolder
    private let program: ChildProgram
    private static let port = 6432

    /// Runs the body with a new PgBouncer.
    ///
    /// - Parameter socketFolder: the folder of PostgreSQL's socket.
    public static func run(
        upstream socketFolder: String, _ body: @Sendable (PgBouncer) async throws -> Void
    ) async throws {
        let bouncer = try await PgBouncer(upstream: socketFolder)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(bouncer))
        } catch {
            result = .failure(error)
        }
        bouncer.program.end(patience: .seconds(10))
        try bouncer.folder.remove()
        try result.get()
    }

    private init(upstream socketFolder: String) async throws {
        folder = try ThrowawayFolder.create(for: "bouncer")
        let owner = try FileManager.default.attributesOfItem(atPath: socketFolder)
        let settings = """
            [databases]
            * = host=\(socketFolder) port=5432 user=landfall
            [pgbouncer]
            listen_addr =
            listen_port = \(Self.port)
            unix_socket_dir = \(folder.url.path)
            auth_type = any
            pool_mode = transaction
            default_pool_size = 20
            """
        let file = folder.url.appendingPathComponent("pgbouncer.ini")
        try Data(settings.utf8).write(to: file)
        var arguments = [file.path]
        // Only the user of PostgreSQL may connect to its socket, and PgBouncer does not run as root.
        if geteuid() == 0, let name = owner[.ownerAccountName] as? String {
            let given: [FileAttributeKey: Any] = [
                .ownerAccountID: owner[.ownerAccountID] ?? 0, .posixPermissions: 0o755,
            ]
            try FileManager.default.setAttributes(given, ofItemAtPath: folder.url.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            arguments = ["-u", name] + arguments
        }
        let log = folder.url.appendingPathComponent("log")
        program = try ChildProgram.start(try Self.executable(), arguments, log: log)
        // Its socket exists a moment before it can be connected to.
        while !program.lastLines.contains("process up") {
            guard !program.hasEnded else { throw NotStarted(description: program.lastLines) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    public func url(database: String) -> String {
        "host=\(folder.url.path) port=\(Self.port) user=landfall dbname=\(database) connect_timeout=60"
    }

    private static func executable() throws -> URL {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let built = package.appendingPathComponent(".build-tools/pgbouncer")
        if FileManager.default.isExecutableFile(atPath: built.path) { return built }
        guard let found = ChildProgram.find("pgbouncer") else { throw NotFound() }
        return found
    }
}
