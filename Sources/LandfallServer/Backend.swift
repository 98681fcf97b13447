internal import Access
internal import DeliveryModel
internal import Ingestion
public import Logging
internal import Maintenance
internal import PostgresClient
public import TokenLifecycle

/// Everything behind the routes: pools, keys, the batcher and the registry.
public struct Backend: Sendable {
    let pool: PostgresPool
    let ingestionPool: PostgresPool
    let keys: KeyRing
    let batcher: EventBatcher
    let registry: DeviceRegistry
    let metrics: ServerMetrics

    /// Connects, refuses a database that may lose commits, brings the schema up to date, and checks that the token key is the
    /// database's own.
    public static func open(
        _ configuration: ServerConfiguration, tokenKey: TokenKey, logger: Logger
    ) async throws -> Backend {
        let metrics = ServerMetrics()
        let pool = PostgresPool(
            poolConfiguration(
                configuration, size: configuration.administrationConnections, metrics.database),
            logger: logger)
        let vault = TokenVault(tokenKey)
        do {
            let taxonomy = try await pool.withConnection(attempts: 5) { connection in
                try DatabaseSafety(of: connection)
                    .check(allowsUnsafe: configuration.allowsUnsafeDatabase, logger: logger)
                try Migrator().migrate(connection)
                try vault.claim(connection)
                try RetentionSetting.store(configuration.retention, on: connection)
                return try RejectionTaxonomy(from: connection)
            }
            return Backend(
                configuration, pool: pool, vault: vault, taxonomy: taxonomy, metrics: metrics, logger: logger)
        } catch {
            try await pool.close()
            throw error
        }
    }

    /// An answer promises that what was posted is on disk, so both pools insist on commits that wait for it.
    private static func poolConfiguration(
        _ configuration: ServerConfiguration, size: Int, _ metrics: DatabaseMetrics
    ) -> PostgresPool.Configuration {
        var pool = PostgresPool.Configuration(
            url: configuration.databaseURL, size: size,
            preparesStatements: configuration.preparesStatements)
        pool.commitsDurably = true
        pool.errorObserver = { metrics.failed($0) }
        return pool
    }

    private init(
        _ configuration: ServerConfiguration, pool: PostgresPool, vault: TokenVault,
        taxonomy: RejectionTaxonomy, metrics: ServerMetrics, logger: Logger
    ) {
        self.pool = pool
        self.metrics = metrics
        var ingestion = Self.poolConfiguration(
            configuration, size: configuration.writers, metrics.database)
        ingestion.plansOnce = true
        ingestionPool = PostgresPool(ingestion, logger: logger)
        keys = KeyRing(pool: pool)
        registry = DeviceRegistry(vault: vault)
        let writer = DeliveryWriter(pool: ingestionPool, vault: vault, taxonomy: taxonomy, logger: logger)
        batcher = EventBatcher(
            limits: .init(queued: configuration.limits.queued), writers: configuration.writers
        ) { items, number in
            let started = ContinuousClock.now
            let verdicts = try await writer.write(items, writer: number)
            metrics.ingestion.wrote(batchOf: items.count, in: started.duration(to: .now))
            return verdicts
        }
    }

    /// Ends the connections, after the work they have in hand.
    public func close() async throws {
        try await ingestionPool.close()
        try await pool.close()
    }
}
