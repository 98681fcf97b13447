internal import Access
internal import DeliveryModel
internal import Ingestion
public import Logging
internal import PostgresClient
public import TokenLifecycle

/// Everything behind the routes: pools, keys, the batcher and the registry.
public struct Backend: Sendable {
    let pool: PostgresPool
    let ingestionPool: PostgresPool
    let keys: KeyRing
    let batcher: EventBatcher
    let registry: DeviceRegistry

    /// Connects, brings the schema up to date, and checks that the token key is the database's own.
    public static func open(
        _ configuration: ServerConfiguration, tokenKey: TokenKey, logger: Logger
    ) async throws -> Backend {
        let pool = PostgresPool(
            .init(
                url: configuration.databaseURL, size: configuration.administrationConnections,
                preparesStatements: configuration.preparesStatements),
            logger: logger)
        let vault = TokenVault(tokenKey)
        do {
            let taxonomy = try await pool.withConnection(attempts: 5) { connection in
                try Migrator().migrate(connection)
                try vault.claim(connection)
                return try RejectionTaxonomy(from: connection)
            }
            return Backend(configuration, pool: pool, vault: vault, taxonomy: taxonomy, logger: logger)
        } catch {
            try await pool.close()
            throw error
        }
    }

    private init(
        _ configuration: ServerConfiguration, pool: PostgresPool, vault: TokenVault,
        taxonomy: RejectionTaxonomy, logger: Logger
    ) {
        self.pool = pool
        var ingestion = PostgresPool.Configuration(
            url: configuration.databaseURL, size: configuration.writers,
            preparesStatements: configuration.preparesStatements)
        ingestion.plansOnce = true
        ingestionPool = PostgresPool(ingestion, logger: logger)
        keys = KeyRing(pool: pool)
        registry = DeviceRegistry(vault: vault)
        let writer = DeliveryWriter(pool: ingestionPool, vault: vault, taxonomy: taxonomy, logger: logger)
        batcher = EventBatcher(
            limits: .init(queued: configuration.limits.queued), writers: configuration.writers
        ) { items, number in
            try await writer.write(items, writer: number)
        }
    }

    /// Ends the connections, after the work they have in hand.
    public func close() async throws {
        try await ingestionPool.close()
        try await pool.close()
    }
}
