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
    /// For what no request waits for and may take its time, such as migrations.
    let patientPool: PostgresPool
    let keys: KeyRing
    let batcher: EventBatcher
    let registry: DeviceRegistry

    /// Connects, brings the schema up to date, and checks that the token key is the database's own.
    public static func open(
        _ configuration: ServerConfiguration, tokenKey: TokenKey, logger: Logger
    ) async throws -> Backend {
        let patientPool = PostgresPool(
            .init(
                url: configuration.databaseURL, size: 1, preparesStatements: configuration.preparesStatements),
            logger: logger)
        let vault = TokenVault(tokenKey)
        do {
            let taxonomy = try await patientPool.withConnection(attempts: 5) { connection in
                try Migrator().migrate(connection)
                try vault.claim(connection)
                return try RejectionTaxonomy(from: connection)
            }
            return Backend(
                configuration, patientPool: patientPool, vault: vault, taxonomy: taxonomy, logger: logger)
        } catch {
            try await patientPool.close()
            throw error
        }
    }

    private init(
        _ configuration: ServerConfiguration, patientPool: PostgresPool, vault: TokenVault,
        taxonomy: RejectionTaxonomy, logger: Logger
    ) {
        self.patientPool = patientPool
        pool = PostgresPool(
            .init(configuration, size: configuration.administrationConnections), logger: logger)
        var ingestion = PostgresPool.Configuration(configuration, size: configuration.writers)
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

    /// Lets requests under way use the database for so long; then those that still wait for it are refused.
    func beginToEnd(within patience: Duration) {
        for pool in [ingestionPool, pool, patientPool] { pool.beginToEnd(within: patience) }
    }

    /// Whether requests had to be refused at the end because the database did not answer.
    var hasAbandonedWork: Bool { ingestionPool.hasAbandonedWork || pool.hasAbandonedWork }

    /// Ends the connections, after the work they have in hand.
    public func close() async throws {
        for pool in [ingestionPool, pool, patientPool] { try await pool.close() }
    }
}

extension PostgresPool.Configuration {
    /// For work that a request waits for.
    fileprivate init(_ configuration: ServerConfiguration, size: Int) {
        self.init(
            url: configuration.databaseURL, size: size, preparesStatements: configuration.preparesStatements)
        limitsWaiting = true
        statementTimeout = configuration.statementTimeout
        workTimeout = configuration.workTimeout
    }
}
