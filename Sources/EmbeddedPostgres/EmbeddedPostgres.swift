public import Foundation

/// A private PostgreSQL cluster in a data folder, shared by every program that names the same folder.
///
/// It listens on a Unix socket only. The cluster runs as long as a program uses it: each user holds a
/// shared lock that the kernel drops however the program ends, and the last one to call ``release()``
/// stops the server. A program that was killed leaves the server running for the next one to find.
public struct EmbeddedPostgres: Sendable {
    /// The folder of the server's Unix socket, readable by its owner only.
    public let socketFolder: URL
    /// The database to connect to.
    public let databaseName = Cluster.databaseName
    /// Whether this call started the server, as opposed to finding it running.
    public let wasStartedHere: Bool

    let cluster: Cluster
    let settings: ServerSettings
    private let use: FileLock

    /// A libpq connection string for `PQconnectdb`, such as `host=/home/ada/.landfall/run port=5432
    /// dbname=landfall user=landfall`.
    ///
    /// The port only names the socket's file; it is explicit so that a `PGPORT` cannot lead elsewhere.
    public var connectionURL: String {
        "host=\(socketFolder.path) port=\(ClusterLayout.port) dbname=\(databaseName) user=\(Cluster.role)"
    }

    /// Starts the cluster in the data folder, or finds the running one.
    ///
    /// Idempotent, and safe if several programs call it at once: the first creates and starts the cluster,
    /// and the others wait. Blocks for some seconds on the first run, and after a crash for as long as
    /// PostgreSQL's recovery takes: do not call it on the cooperative pool while requests are being served.
    ///
    /// - Parameters:
    ///   - dataFolder: the folder of the cluster; created with mode 0700 if absent.
    ///   - settings: additional server settings, such as `["fsync": "off"]`. They apply only if this call
    ///     starts the server.
    ///   - environment: may name the folder of PostgreSQL's programs in `LANDFALL_PG_BIN`.
    /// - Throws: ``EmbeddedPostgresError``, whose description says what to do.
    public static func startOrFind(
        dataFolder: URL, settings: [String: String] = [:],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(EmbeddedPostgresError) -> EmbeddedPostgres {
        let serverSettings = try ServerSettings(settings)
        let layout = try ClusterLayout(dataFolder: DataFolder(url: dataFolder))
        let gate = try layout.enterGate()
        defer { gate.drop() }
        let cluster = try Cluster(layout: layout, environment: environment)
        let use = try FileLock.shared(at: layout.usersFile)
        do {
            let server = try cluster.startOrFind(with: serverSettings)
            return EmbeddedPostgres(
                socketFolder: URL(fileURLWithPath: server.socketFolder, isDirectory: true),
                wasStartedHere: server.wasStartedHere, cluster: cluster, settings: serverSettings, use: use)
        } catch {
            use.drop()
            throw error
        }
    }

    /// Releases the cluster, and stops it if no other program uses it. Call this once, at a clean exit.
    ///
    /// Blocks until the server has stopped or another user is found.
    /// - Throws: ``EmbeddedPostgresError`` if the server does not stop.
    public func release() throws(EmbeddedPostgresError) {
        let gate = try cluster.layout.enterGate()
        defer { gate.drop() }
        use.drop()
        guard let alone = try FileLock.exclusiveIfFree(at: cluster.layout.usersFile) else { return }
        defer { alone.drop() }
        try cluster.stop()
    }
}

// MARK: - Condition

extension EmbeddedPostgres {
    /// The state of the cluster in a data folder.
    public enum Condition: Hashable, Sendable {
        /// There is no cluster; ``startOrFind(dataFolder:settings:environment:)`` would create one.
        case absent
        /// There is a cluster, but no server is running.
        case stopped
        case running
        /// There may be one, but only this user, and root, may enter the data folder.
        case closed(owner: String)
    }

    /// Reads the condition and changes nothing. Another program may change it the moment after.
    public static func condition(of dataFolder: URL) -> Condition {
        if access(dataFolder.path, X_OK) != 0, errno == EACCES {
            return .closed(owner: ownerName(of: dataFolder))
        }
        let link = Folder(path: Folder(path: dataFolder.path).child("cluster"))
        // A dangling link names a cluster that is not mounted: starting it reports that.
        guard link.resolved != nil || !link.isLink else { return .stopped }
        guard let cluster = link.resolved, access(cluster.child("PG_VERSION"), F_OK) == 0 else {
            return .absent
        }
        switch PostmasterFile.server(of: cluster) {
        case .ready, .changing: return .running
        case .absent, .mistaken: return .stopped
        }
    }

    private static func ownerName(of folder: URL) -> String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        return attributes?[.ownerAccountName] as? String ?? "another user"
    }
}

// MARK: - Restart

extension EmbeddedPostgres {
    /// A running server, as opposed to a later one that runs the same cluster.
    public struct Server: Hashable, Sendable {
        let id: pid_t
        let startedAt: Int64
    }

    /// The running server; `nil` if none is running, or if one is starting or stopping.
    public var server: Server? {
        guard case .ready = PostmasterFile.server(of: cluster.folder),
            let file = PostmasterFile.read(in: cluster.folder)
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

    /// Stops a server (fast shutdown) and starts the cluster again with the programs on disk. If several
    /// programs call this at once, one does it and the others wait. Client connections end; the connection
    /// string stays the same.
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

    /// The folder of the programs that would run a new cluster.
    package static func installedPrograms() throws(EmbeddedPostgresError) -> URL {
        let programs = try ServerPrograms.candidates(in: ProcessInfo.processInfo.environment).first
        guard let programs else { throw .postgresNotInstalled }
        return URL(fileURLWithPath: programs.folder)
    }
}
