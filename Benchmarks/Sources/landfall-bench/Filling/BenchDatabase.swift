internal import Access
internal import ChildPrograms
internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import Logging
internal import Maintenance
internal import PostgresClient
internal import Vault

/// The private database: one app with registered devices, and two copies, so that the server, the writer and
/// the bare statements start with the same data.
struct BenchDatabase: Sendable {
    let appID: Int64
    /// A server key.
    let key: String
    let vault: TokenVault
    /// The folder of the database and of the server that is started on it.
    let folder: URL
    private let connectionURL: String

    enum Copy: String {
        case forServer = "landfall"
        case forWriter = "landfall_writer"
        case forStatements = "landfall_statements"
    }

    /// Runs the body with a new private database in a folder that is then removed.
    ///
    /// - Parameter settings: further settings of PostgreSQL.
    static func with<Value: Sendable>(
        isDurable: Bool = true, settings: [String: String] = [:],
        _ body: (BenchDatabase) async throws -> Value
    ) async throws -> Value {
        let folder = try ThrowawayFolder.create(for: "bench")
        return try await ending({ try folder.remove() }) {
            note("starting a private PostgreSQL in \(folder.url.path)")
            let cluster = try folder.startDatabase(isDurable: isDurable, settings: settings)
            return try await ending({ try folder.end(cluster) }) {
                try await body(BenchDatabase(cluster, folder: folder.url))
            }
        }
    }

    private init(_ cluster: EmbeddedPostgres, folder: URL) throws {
        self.folder = folder
        connectionURL = cluster.connectionURL
        vault = TokenVault(try TokenKey.load(dataFolder: folder, environment: [:]))
        let connection = try PostgresConnection(url: connectionURL)
        try Migrator().migrate(connection)
        try vault.claim(connection)
        let directory = AppDirectory(connection)
        let now = Instant.now
        let app = try directory.createApp(slug: "bench", at: now)
        appID = app.appID
        // The run retires every token. It must measure that, not the breaker that protects an app from it.
        try connection.query(.Bench.keepBreakerClosed, [.value(appID)])
        key = try directory.createKey(kind: .server, for: app, at: now).text
    }

    /// Connections to one of the copies, configured like the server's connections for ingestion, or, if
    /// `plansOnce` is false, with plans that depend on the parameters, for statements that read whole tables.
    func pool(
        _ copy: Copy, size: Int = 1, plansOnce: Bool = true, observer: StatementObserver? = nil
    ) -> PostgresPool {
        var configuration = PostgresPool.Configuration(url: url(of: copy.rawValue), size: size)
        configuration.plansOnce = plansOnce
        configuration.statementObserver = observer
        return PostgresPool(configuration, logger: Logger(label: "landfall-bench"))
    }

    func connection(to copy: Copy) throws -> PostgresConnection {
        try PostgresConnection(url: url(of: copy.rawValue))
    }

    /// The PostgreSQL version, such as `15.18`.
    func serverVersion() throws -> String {
        try connection(to: .forServer).query(.Bench.serverVersion).single().get("version")
    }

    private func url(of database: String) -> String { connectionURL + " dbname=\(database)" }

    /// Registers the devices, loads rows and creates the copies. No other client may be connected yet.
    ///
    /// - Parameter rows: notifications of the last 30 days.
    func prepare(_ devices: [BenchDevice], rows: Int) async throws {
        let pool = pool(.forServer, size: 2, plansOnce: false)
        try await ending({ try await pool.close() }) {
            let filling = DatabaseFilling(appID: appID, vault: vault, pool: pool)
            try await filling.register(devices)
            guard rows > 0 else { return }
            try await filling.load(rows: rows, now: .now)
            // Otherwise the server would fold a month of counters while it is measured.
            try await pool.withConnection { _ = try Maintenance().run(on: $0) }
        }
        try connection(to: .forServer).execute(script: .Bench.settle)
        let administration = try PostgresConnection(url: url(of: "postgres"))
        try administration.execute(script: .Bench.cloneForWriter)
        try administration.execute(script: .Bench.cloneForStatements)
    }

    /// Cleans up after the bulk traffic and drops the copies. Call it when no client is connected to the
    /// copies and they are no longer needed.
    func settleAfterBulk() throws {
        try connection(to: .forServer).execute(script: .Bench.settle)
        let administration = try PostgresConnection(url: url(of: "postgres"))
        try administration.execute(script: .Bench.dropWriterCopy)
        try administration.execute(script: .Bench.dropStatementsCopy)
    }
}
