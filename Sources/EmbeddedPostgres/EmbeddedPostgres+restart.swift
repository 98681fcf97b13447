package import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension EmbeddedPostgres {
    /// A running server, as opposed to a later one that runs the same cluster.
    public struct Server: Hashable, Sendable {
        let id: pid_t
        let startedAt: Int64
    }

    /// The running server; `nil` if none is running, or if one is starting or stopping.
    public var server: Server? {
        guard case .ready = PostmasterFile.server(of: cluster.folder),
            let text = try? String(contentsOfFile: PostmasterFile.path(in: cluster.folder), encoding: .utf8),
            let file = PostmasterFile(text)
        else { return nil }
        return Server(id: file.serverID, startedAt: file.startedAt)
    }

    /// The version of the programs on disk, as `server_version` shows it, such as
    /// `15.14 (Debian 15.14-0+deb12u1)`. A package upgrade replaces the programs while the server runs.
    ///
    /// - Throws: ``EmbeddedPostgresError`` if they cannot be run, as in the middle of an upgrade.
    public func programVersion() throws(EmbeddedPostgresError) -> String {
        let path = cluster.programs.path(of: "postgres")
        let outcome = try Command(program: path, arguments: ["--version"]).run()
        // The dynamic loader may print lines of its own.
        let prefix = "postgres (PostgreSQL) "
        let line = outcome.output.split(whereSeparator: \.isNewline).first { $0.hasPrefix(prefix) }
        guard outcome.status == 0, let line else {
            throw .systemCallRefused(call: "exec", path: path, reason: outcome.output)
        }
        return String(line.dropFirst(prefix.count))
    }

    /// Whether the programs on disk were installed after this server had started.
    public func hasOlderStart(_ server: Server) -> Bool {
        var status = stat()
        guard stat(cluster.programs.path(of: "postgres"), &status) == 0 else { return false }
        #if canImport(Darwin)
            return Int64(status.st_ctimespec.tv_sec) > server.startedAt
        #else
            return Int64(status.st_ctim.tv_sec) > server.startedAt
        #endif
    }

    /// Stops a server (fast shutdown) and starts the cluster again with the programs on disk. If several programs call
    /// this at once, one does it and the others wait. Client connections end; the connection string stays the same.
    ///
    /// Blocks until the new server accepts connections.
    ///
    /// - Parameter server: the server to replace. If another one is running by now, nothing is done.
    /// - Returns: whether this call restarted the cluster.
    /// - Throws: ``EmbeddedPostgresError``; then possibly no server is running, and another call starts one.
    public func restart(insteadOf server: Server) throws(EmbeddedPostgresError) -> Bool {
        let gate = try cluster.layout.enterGate()
        defer { gate.drop() }
        if let running = self.server, running != server { return false }
        try cluster.stop()
        try cluster.start(with: settings)
        return true
    }
}

extension EmbeddedPostgres {
    /// The folder of the programs that would run a new cluster.
    package static func installedPrograms() throws(EmbeddedPostgresError) -> URL {
        guard
            let programs = try ServerPrograms.candidates(in: ProcessInfo.processInfo.environment).first
        else { throw .postgresNotInstalled }
        return URL(fileURLWithPath: programs.folder)
    }
}
