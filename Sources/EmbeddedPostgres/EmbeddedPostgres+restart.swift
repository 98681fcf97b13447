package import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension EmbeddedPostgres {
    /// A running server, as opposed to the next one that runs the same cluster.
    public struct Server: Hashable, Sendable {
        let id: pid_t
        let startedAt: Int64
    }

    /// The server that runs now; `nil` if none does, or one is starting or stopping.
    public var server: Server? {
        guard case .ready = PostmasterFile.server(of: cluster.folder),
            let text = try? String(contentsOfFile: PostmasterFile.path(in: cluster.folder), encoding: .utf8),
            let file = PostmasterFile(text)
        else { return nil }
        return Server(id: file.serverID, startedAt: file.startedAt)
    }

    /// The version of the programs on disk, in the words of `server_version`, such as `15.14 (Debian 15.14-0+deb12u1)`. A package
    /// upgrade replaces them while the server runs.
    ///
    /// - Throws: ``EmbeddedPostgresError`` while they cannot be run, as in the middle of an upgrade.
    public func programVersion() throws(EmbeddedPostgresError) -> String {
        let path = cluster.programs.path(of: "postgres")
        let outcome = try Command(program: path, arguments: ["--version"]).run()
        // A loader may complain on lines of its own.
        let prefix = "postgres (PostgreSQL) "
        let line = outcome.output.split(whereSeparator: \.isNewline).first { $0.hasPrefix(prefix) }
        guard outcome.status == 0, let line else {
            throw .systemCallRefused(call: "exec", path: path, reason: outcome.output)
        }
        return String(line.dropFirst(prefix.count))
    }

    /// Whether the programs on disk were put there after this server had started.
    public func hasOlderStart(_ server: Server) -> Bool {
        var status = stat()
        guard stat(cluster.programs.path(of: "postgres"), &status) == 0 else { return false }
        #if canImport(Darwin)
            return Int64(status.st_ctimespec.tv_sec) > server.startedAt
        #else
            return Int64(status.st_ctim.tv_sec) > server.startedAt
        #endif
    }

    /// Stops a server, fast, and starts the cluster again with the programs on disk. Several programs may ask at once: one does it,
    /// the others wait for it. Their connections end; the connection string stays as it is.
    ///
    /// Blocks until the new server accepts connections.
    ///
    /// - Parameter server: the one to be replaced. If another one runs by now, nothing is done.
    /// - Returns: whether this call restarted the cluster.
    /// - Throws: ``EmbeddedPostgresError``; then no server may run, and a further call starts one.
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
    /// The folder of the programs that a new cluster would be run by.
    package static func installedPrograms() throws(EmbeddedPostgresError) -> URL {
        guard
            let programs = try ServerPrograms.candidates(in: ProcessInfo.processInfo.environment).first
        else { throw .postgresNotInstalled }
        return URL(fileURLWithPath: programs.folder)
    }
}
