internal import Access
internal import DeliveryModel
internal import Foundation
internal import Ingestion
public import Logging
internal import Maintenance
internal import PostgresClient
internal import TokenLifecycle
public import Vault

/// The services that the routes use: pools, keys, the batcher and the registry.
public struct Backend: Sendable {
    let pool: PostgresPool
    /// Connections for keys and health checks, so that these never wait for registrations.
    let keyPool: PostgresPool
    let healthPool: PostgresPool
    let ingestionPool: PostgresPool
    let reportPool: PostgresPool
    /// Connections for long work that no request waits for, such as migrations.
    let patientPool: PostgresPool
    let keys: KeyRing
    let sieve: KeySieve
    let origins: OriginRing
    let batcher: EventBatcher
    let recorder: BatchRecorder
    /// The list of responses, as of the start.
    let taxonomy: RejectionTaxonomy
    let traffic: UnprovenTraffic
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
    /// False if the database could not be written to when the server started.
    let isSettled: Bool
    private let configuration: ServerConfiguration

    /// Connects, rejects a database that may lose commits, migrates the schema, and checks the database's
    /// token key. A database that cannot be written to, such as a standby, has to be migrated already.
    ///
    /// - Parameter waits: whether to wait for a database that is unavailable, until the task is canceled.
    public static func open(
        _ configuration: ServerConfiguration, tokenKey: TokenKey, waits: Bool = false,
        clock: ServerClock = ServerClock(), logger: Logger
    ) async throws -> Backend {
        let metrics = ServerMetrics()
        let patientPool = PostgresPool(
            .init(atLeisureOf: configuration, metrics.database), logger: logger)
        let vault = TokenVault(tokenKey)
        do {
            let wait = AwaitedDatabase(url: configuration.databaseURL, logger: logger)
            let (taxonomy, trouble) = try await wait.whileAway(waits) {
                try await patientPool.withConnection(attempts: 5) { connection in
                    try DatabaseSafety(of: connection)
                        .check(allowsUnsafe: configuration.allowsUnsafeDatabase, logger: logger)
                    let trouble = try settle(configuration, vault, on: connection, logger: logger)
                    try vault.hold(connection)
                    if let difference = try clock.compare(on: connection) {
                        logger.warning(.clockDiffers, metadata: ["ahead_seconds": "\(difference.seconds)"])
                    }
                    return (try RejectionTaxonomy(from: connection), trouble)
                }
            }
            if let trouble {
                logger.warning(
                    "\(trouble.sentence): reports work, and events are rejected. \(trouble.remedy)")
            }
            return Backend(
                configuration, patientPool: patientPool, vault: vault, taxonomy: taxonomy, metrics: metrics,
                clock: clock, isSettled: trouble == nil, logger: logger)
        } catch {
            try await patientPool.close()
            throw error
        }
    }

    /// Writes everything that a starting server writes, such as migrations and the token key's check value.
    ///
    /// - Returns: the reason nothing was written, if the database cannot be written to now.
    /// - Throws: ``ServeError/notMigrated(_:)`` if it then lacks migrations.
    private static func settle(
        _ configuration: ServerConfiguration, _ vault: TokenVault, on connection: PostgresConnection,
        logger: Logger
    ) throws -> WritingTrouble? {
        if let trouble = try WritingTrouble.announced(on: connection) {
            guard try Migrator().pending(connection).isEmpty else {
                throw ServeError.notMigrated(trouble.sentence)
            }
            try Migrator().migrate(connection)
            return trouble
        }
        try Migrator().migrate(connection)
        try ChangeFeed.adopt(on: connection)
        try vault.claim(connection)
        let kept = try RetentionSetting.lengthen(to: configuration.retention, on: connection)
        if configuration.retention < kept { logger.warning(.shorterRetention(than: kept)) }
        return nil
    }

    /// Writes the same later, if the database could not be written to when the server started.
    ///
    /// - Returns: false if it still cannot.
    func settle(logger: Logger) async throws -> Bool {
        try await patientPool.withConnection { [configuration, vault] in
            try Self.settle(configuration, vault, on: $0, logger: logger) == nil
        }
    }

    private init(
        _ configuration: ServerConfiguration, patientPool: PostgresPool, vault: TokenVault,
        taxonomy: RejectionTaxonomy, metrics: ServerMetrics, clock: ServerClock, isSettled: Bool,
        logger: Logger
    ) {
        self.configuration = configuration
        self.isSettled = isSettled
        self.clock = clock
        name = "\(Self.hostName):\(configuration.port)"
        self.patientPool = patientPool
        self.metrics = metrics
        self.vault = vault
        tail = configuration.web.isEnabled ? EventTail() : nil
        let observe: @Sendable (PostgresError) -> Void = { [writeHealth] error in
            metrics.database.failed(error)
            metrics.statementTimeouts.met(error)
            writeHealth.met(error)
        }
        func requestPool(_ size: Int) -> PostgresPool {
            var pool = PostgresPool.Configuration(
                forRequestsTo: configuration, size: size, metrics.database)
            // A server keeps the plans of its first requests, which find empty tables.
            pool.plansOnce = true
            pool.errorObserver = observe
            return PostgresPool(pool, logger: logger)
        }
        pool = requestPool(configuration.administrationConnections)
        keyPool = requestPool(2)
        healthPool = requestPool(1)
        ingestionPool = requestPool(configuration.writers)
        reportPool = PostgresPool(.init(forReportsTo: configuration, metrics.database), logger: logger)
        keys = KeyRing(pool: keyPool, vault: vault)
        sieve = KeySieve(pool: keyPool)
        origins = OriginRing(pool: keyPool)
        registry = DeviceRegistry(vault: vault)
        traffic = UnprovenTraffic(configuration.limits, metrics, clock: clock)
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

    /// This machine's name for itself. Queries the system and no name server, for which
    /// `ProcessInfo.hostName` may wait.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
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

extension PostgresPool.Configuration {
    /// A response promises that the post is on disk, so every pool requires commits that wait for the disk.
    fileprivate init(
        _ configuration: ServerConfiguration, size: Int, _ metrics: DatabaseMetrics
    ) {
        self.init(
            url: configuration.databaseURL, size: size, preparesStatements: configuration.preparesStatements)
        isDistributed = configuration.isDistributed
        commitsDurably = true
        errorObserver = { metrics.failed($0) }
    }

    /// The configuration for work that no request waits for.
    init(atLeisureOf configuration: ServerConfiguration, _ metrics: DatabaseMetrics) {
        self.init(configuration, size: 1, metrics)
    }

    /// The configuration for work that a request waits for.
    init(
        forRequestsTo configuration: ServerConfiguration, size: Int, _ metrics: DatabaseMetrics
    ) {
        self.init(configuration, size: size, metrics)
        limitsWaiting = true
        statementTimeout = configuration.statementTimeout
        workTimeout = configuration.workTimeout
    }

    /// The configuration for reports. PostgreSQL cancels a statement a little before the client's timeout
    /// (`limit_waiting`). The factor makes it cancel at the report's own limit.
    init(forReportsTo configuration: ServerConfiguration, _ metrics: DatabaseMetrics) {
        let limits = configuration.reports
        self.init(forRequestsTo: configuration, size: limits.connections, metrics)
        statementTimeout = limits.statementTimeout * 15 / 13
        workTimeout = limits.statementTimeout * 2
    }
}
