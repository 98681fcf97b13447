internal import Access
internal import DeliveryModel
internal import EmbeddedPostgres
internal import Foundation
internal import Ingestion
internal import Logging
internal import PostgresClient
internal import SQLFiles
internal import TokenLifecycle

/// The private database: one app with registered devices, and two copies of that, so that the server, the writer and
/// the bare statements each begin with the same.
struct BenchDatabase: Sendable {
    let appID: Int64
    /// A server key.
    let key: String
    let vault: TokenVault
    private let connectionURL: String

    enum Copy: String {
        case forServer = "landfall"
        case forWriter = "landfall_writer"
        case forStatements = "landfall_statements"
    }

    /// Registered together in one transaction.
    private static let registrationsAtOnce = 500

    init(_ cluster: EmbeddedPostgres, dataFolder: URL) throws {
        connectionURL = cluster.connectionURL
        vault = TokenVault(try TokenKey.load(dataFolder: dataFolder, environment: [:]))
        let connection = try PostgresConnection(url: connectionURL)
        try Migrator().migrate(connection)
        try vault.claim(connection)
        let directory = AppDirectory(connection)
        let now = Instant.now
        let app = try directory.createApp(slug: "bench", at: now)
        appID = app.appID
        key = try directory.createKey(kind: .server, for: app, at: now).text
    }

    /// Connections to one of the copies.
    func pool(_ copy: Copy, size: Int = 1, observer: StatementObserver? = nil) -> PostgresPool {
        var configuration = PostgresPool.Configuration(url: url(of: copy.rawValue), size: size)
        configuration.statementObserver = observer
        return PostgresPool(configuration, logger: Logger(label: "landfall-bench"))
    }

    func connection(to copy: Copy) throws -> PostgresConnection {
        try PostgresConnection(url: url(of: copy.rawValue))
    }

    /// Such as `15.18`.
    func serverVersion() throws -> String {
        try connection(to: .forServer).query(.Bench.serverVersion).single().get(0)
    }

    private func url(of database: String) -> String { connectionURL + " dbname=\(database)" }

    /// Registers the devices and makes the copies. Nobody else may be connected yet.
    func prepare(_ devices: [BenchDevice]) async throws {
        let pool = pool(.forServer, size: 2)
        try await ending({ try await pool.close() }) { try await register(devices, pool) }
        try connection(to: .forServer).execute(script: .Bench.settle)
        let administration = try PostgresConnection(url: url(of: "postgres"))
        try administration.execute(script: .Bench.cloneForWriter)
        try administration.execute(script: .Bench.cloneForStatements)
    }

    private func register(_ devices: [BenchDevice], _ pool: PostgresPool) async throws {
        let registry = DeviceRegistry(vault: vault)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in stride(from: 0, to: devices.count, by: Self.registrationsAtOnce) {
                let some = devices[start..<min(start + Self.registrationsAtOnce, devices.count)]
                group.addTask {
                    try Task.checkCancellation()
                    try await pool.withTransaction { connection in
                        for device in some {
                            _ = try registry.register(
                                device.registration, appID: appID, now: .now, on: connection)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// How many events changed something in a database, and how many it keeps in quarantine.
struct RecordedEvents {
    let accepted: Int
    let rejected: Int

    init(accepted: Int, rejected: Int) {
        self.accepted = accepted
        self.rejected = rejected
    }

    init(on connection: PostgresConnection) throws {
        let row = try connection.query(.Bench.countRecorded).single()
        accepted = Int(try row.get(0, as: Int64.self))
        rejected = Int(try row.get(1, as: Int64.self))
    }
}
