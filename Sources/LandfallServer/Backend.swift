internal import Access
internal import DeliveryModel
internal import Ingestion
internal import Instants
public import Logging
internal import Maintenance
internal import PostgresClient
public import TokenLifecycle

/// The services that the routes use: pools, keys, the batcher and the registry.
public struct Backend: Sendable {
    let pool: PostgresPool
    /// For keys and for health checks, which wait for no registration, however many there are.
    let keyPool: PostgresPool
    let healthPool: PostgresPool
    let ingestionPool: PostgresPool
    let reportPool: PostgresPool
    /// For long work that no request waits for, such as migrations.
    let patientPool: PostgresPool
    let keys: KeyRing
    let sieve: KeySieve
    let origins: OriginRing
    let batcher: EventBatcher
    let recorder: BatchRecorder
    /// The list of responses, as of the start.
    let taxonomy: RejectionTaxonomy
    let quotas: DeviceQuotas
    let registry: DeviceRegistry
    let waitingMessages = WaitingMessages()
    let vault: TokenVault
    let metrics: ServerMetrics
    let clock: ServerClock
    let writeHealth = WriteHealth()
    /// `nil` without the console.
    let tail: EventTail?
    /// `host:port`, the name of this server in the doctor's reports.
    let name: String

    /// Connects, rejects a database that may lose commits, migrates the schema, and checks the database's token key.
    public static func open(
        _ configuration: ServerConfiguration, tokenKey: TokenKey, logger: Logger
    ) async throws -> Backend {
        let metrics = ServerMetrics()
        let patientPool = PostgresPool(
            .init(atLeisureOf: configuration, metrics.database), logger: logger)
        let vault = TokenVault(tokenKey)
        let clock = ServerClock()
        do {
            let taxonomy = try await patientPool.withConnection(attempts: 5) { connection in
                try DatabaseSafety(of: connection)
                    .check(allowsUnsafe: configuration.allowsUnsafeDatabase, logger: logger)
                try Migrator().migrate(connection)
                try ChangeFeed.adopt(on: connection)
                try vault.claim(connection)
                try vault.hold(connection)
                if let difference = try clock.compare(on: connection) {
                    logger.warning(.clockDiffers, metadata: ["ahead_seconds": "\(difference.seconds)"])
                }
                let kept = try RetentionSetting.lengthen(to: configuration.retention, on: connection)
                if configuration.retention < kept { logger.warning(.shorterRetention(than: kept)) }
                return try RejectionTaxonomy(from: connection)
            }
            return Backend(
                configuration, patientPool: patientPool, vault: vault, taxonomy: taxonomy, metrics: metrics,
                clock: clock, logger: logger)
        } catch {
            try await patientPool.close()
            throw error
        }
    }

    private init(
        _ configuration: ServerConfiguration, patientPool: PostgresPool, vault: TokenVault,
        taxonomy: RejectionTaxonomy, metrics: ServerMetrics, clock: ServerClock, logger: Logger
    ) {
        self.clock = clock
        name = "\(HostName.current):\(configuration.port)"
        self.patientPool = patientPool
        self.metrics = metrics
        self.vault = vault
        tail = configuration.web.isEnabled ? EventTail() : nil
        let observe: @Sendable (PostgresError) -> Void = { [writeHealth] error in
            metrics.database.failed(error)
            metrics.slowStatements.met(error)
            writeHealth.met(error)
        }
        func administration(_ size: Int) -> PostgresPool {
            var administration = PostgresPool.Configuration(
                forRequestsTo: configuration, size: size, metrics.database)
            // A server keeps the plans of its first registrations, which find empty tables.
            administration.plansOnce = true
            administration.errorObserver = observe
            return PostgresPool(administration, logger: logger)
        }
        pool = administration(configuration.administrationConnections)
        keyPool = administration(2)
        healthPool = administration(1)
        var ingestion = PostgresPool.Configuration(
            forRequestsTo: configuration, size: configuration.writers, metrics.database)
        ingestion.plansOnce = true
        ingestion.errorObserver = observe
        ingestionPool = PostgresPool(ingestion, logger: logger)
        reportPool = PostgresPool(.init(forReportsTo: configuration, metrics.database), logger: logger)
        keys = KeyRing(pool: keyPool, vault: vault)
        sieve = KeySieve(pool: keyPool)
        origins = OriginRing(pool: keyPool)
        registry = DeviceRegistry(vault: vault)
        quotas = DeviceQuotas(metrics.factory)
        self.taxonomy = taxonomy
        recorder = BatchRecorder(
            vault: vault, taxonomy: taxonomy, limits: configuration.quarantine, logger: logger)
        let writer = DeliveryWriter(pool: ingestionPool, recorder: recorder, logger: logger)
        batcher = EventBatcher(
            limits: .init(queued: configuration.limits.queued), writers: configuration.writers,
            executor: EventLoopExecutor.shared
        ) { [writeHealth] items, number in
            let started = ContinuousClock.now
            let verdicts = try await writer.write(items, writer: number, now: clock.now)
            writeHealth.wrote()
            metrics.ingestion.wrote(batchOf: items.count, in: started.duration(to: .now))
            return verdicts
        }
    }

    private var pools: [PostgresPool] {
        [ingestionPool, pool, keyPool, healthPool, reportPool, patientPool]
    }

    /// Lets pending requests use the database for this long, then rejects those that still wait for it.
    func beginToEnd(within patience: Duration) {
        for pool in pools { pool.beginToEnd(within: patience) }
    }

    /// Whether requests were rejected during shutdown because the database did not respond.
    var hasAbandonedWork: Bool { ingestionPool.hasAbandonedWork || pool.hasAbandonedWork }

    /// Closes the connections, after the work in progress.
    public func close() async throws {
        for pool in pools { try await pool.close() }
    }
}

extension Logger.Message {
    fileprivate static func shorterRetention(than kept: Span) -> Self {
        """
        retention.days is shorter than the stored retention of \
        \(kept.milliseconds / Span.days(1).milliseconds) days. Nothing younger than that is dropped until an \
        operator confirms it: landfall maintain --shorten-retention
        """
    }
}
