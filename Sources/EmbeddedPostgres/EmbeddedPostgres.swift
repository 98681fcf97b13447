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
    public let databaseName: String
    /// Whether this call started the server, as opposed to finding it running.
    public let wasStartedHere: Bool

    let cluster: Cluster
    let settings: ServerSettings
    private let use: FileLock

    /// A libpq connection string for `PQconnectdb`, such as
    /// `host=/home/ada/.landfall/run port=5432 dbname=landfall user=landfall`.
    ///
    /// The port only names the socket's file; it is explicit so that a `PGPORT` in the environment cannot lead elsewhere.
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
    ///   - settings: additional server settings, such as `["fsync": "off"]`. They apply only if this call starts the server.
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
            return EmbeddedPostgres(
                try cluster.startOrFind(with: serverSettings), of: cluster, serverSettings, use: use)
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

    private init(_ server: RunningServer, of cluster: Cluster, _ settings: ServerSettings, use: FileLock) {
        self.socketFolder = URL(fileURLWithPath: server.socketFolder, isDirectory: true)
        self.databaseName = Cluster.databaseName
        self.wasStartedHere = server.wasStartedNow
        self.cluster = cluster
        self.settings = settings
        self.use = use
    }
}
