internal import Access
internal import DeliveryModel
internal import Ingestion
internal import Logging
internal import Maintenance
internal import PostgresClient
internal import Settings
internal import TokenLifecycle
internal import Vault

/// One database, and everything that belongs to it: connections, writers, clock and condition.
final class Cell: Sendable {
    let number: CellNumber
    let pool: PostgresPool
    /// Connections for keys and health checks, so that these never wait for registrations.
    let keyPool: PostgresPool
    let healthPool: PostgresPool
    let ingestionPool: PostgresPool
    let reportPool: PostgresPool
    /// Connections for long work that no request waits for, such as migrations.
    let patientPool: PostgresPool
    let origins: OriginRing
    let batcher: EventBatcher
    let recorder: BatchRecorder
    /// The list of responses, as of the start.
    let taxonomy: RejectionTaxonomy
    let clock: ServerClock
    let writeHealth = WriteHealth()
    let readiness: Readiness
    let vault: TokenVault
    let metrics: CellMetrics
    /// False if the database could not be written to when the cell was opened.
    let isSettled: Bool
    private let configuration: ServerConfiguration

    /// Connects, rejects a database that may lose commits, migrates the schema, and checks the database's
    /// token key. A database that cannot be written to, such as a standby, has to be migrated already.
    ///
    /// - Parameter waits: whether to wait for a database that is unavailable, until the task is canceled.
    static func open(
        _ address: CellAddress, _ configuration: ServerConfiguration, vault: TokenVault,
        metrics: ServerMetrics, sharedQueue: SharedQueue?, waits: Bool, clock: ServerClock, logger: Logger
    ) async throws -> Cell {
        let ofCell = metrics.of(sharedQueue == nil ? nil : address.cell)
        let patientPool = PostgresPool(
            .init(atLeisureIn: address, configuration, ofCell.database), logger: logger)
        do {
            let wait = AwaitedDatabase(url: address.url, logger: logger)
            let (taxonomy, trouble) = try await wait.whileAway(waits) {
                try await patientPool.withConnection(attempts: 5) { connection in
                    try DatabaseSafety(of: connection)
                        .check(allowsUnsafe: configuration.allowsUnsafeDatabase, logger: logger)
                    try check(address.cell, on: connection)
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
            return Cell(
                address, configuration, patientPool: patientPool, vault: vault, taxonomy: taxonomy,
                metrics: ofCell, timeouts: metrics.statementTimeouts, sharedQueue: sharedQueue, clock: clock,
                isSettled: trouble == nil, logger: logger)
        } catch {
            try await patientPool.close()
            throw error
        }
    }

    /// The server itself creates only the front cell: a mistyped URL must not make another.
    ///
    /// - Throws: ``ServeError/wrongCell(_:)`` if the schema is not the cell's.
    private static func check(_ cell: CellNumber, on connection: PostgresConnection) throws {
        do {
            try cell.check(connection)
        } catch let error as AccessError {
            throw ServeError.wrongCell(error.description)
        } catch let error as PostgresError where error.lacksSchema {
            guard cell == .front else {
                throw ServeError.wrongCell("cell \(cell) was never added: landfall cell add \(cell) …")
            }
        }
    }

    /// Compares this cell's apps with those that the front cell knows, and lets it know which ids this one
    /// gives to new rows. If that fails, because the front cell is away, apps are served all the same: what
    /// the next program finds that opens the cell, such as the doctor, holds for this server, too.
    func report(to front: Cell, logger: Logger) async {
        do {
            let apps = try await patientPool.withConnection { [number] connection in
                try CellApp.all(in: number, on: connection)
            }
            let doubled = try await front.pool.withConnection { try CellApp.compare(apps, in: $0) }
            for app in doubled { logger.warning("\(app)") }
            let range = try await patientPool.withConnection { connection in
                for app in doubled { try app.retireCopy(on: connection) }
                return try IDRange.current(on: connection)
            }
            try await front.pool.withConnection { [number] in try range.record(as: number, in: $0) }
        } catch {
            logger.error("the apps and ids of a cell are not known to cell 0: \(error)")
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
        _ address: CellAddress, _ configuration: ServerConfiguration, patientPool: PostgresPool,
        vault: TokenVault, taxonomy: RejectionTaxonomy, metrics: CellMetrics, timeouts: StatementTimeouts,
        sharedQueue: SharedQueue?, clock: ServerClock, isSettled: Bool, logger: Logger
    ) {
        number = address.cell
        self.configuration = configuration
        self.isSettled = isSettled
        self.clock = clock
        self.patientPool = patientPool
        self.vault = vault
        self.metrics = metrics
        let observe: @Sendable (PostgresError) -> Void = { [writeHealth] error in
            metrics.database.failed(error)
            timeouts.met(error)
            writeHealth.met(error)
        }
        func requestPool(_ size: Int) -> PostgresPool {
            var pool = PostgresPool.Configuration(
                forRequestsTo: address, configuration, size: size, metrics.database)
            // A server keeps the plans of its first requests, which find empty tables.
            pool.plansOnce = true
            pool.errorObserver = observe
            return PostgresPool(pool, logger: logger)
        }
        pool = requestPool(configuration.administrationConnections)
        keyPool = requestPool(2)
        healthPool = requestPool(1)
        readiness = Readiness(pool: healthPool, health: writeHealth)
        origins = OriginRing(pool: keyPool)
        ingestionPool = requestPool(configuration.writers)
        reportPool = PostgresPool(
            .init(forReportsTo: address, configuration, metrics.database), logger: logger)
        self.taxonomy = taxonomy
        recorder = BatchRecorder(
            vault: vault, taxonomy: taxonomy, limits: configuration.quarantine, logger: logger)
        let writer = DeliveryWriter(pool: ingestionPool, recorder: recorder, logger: logger)
        batcher = EventBatcher(
            limits: .init(queued: configuration.limits.queued), writers: configuration.writers,
            sharing: sharedQueue, executor: EventLoopExecutor.shared
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
    func close() async throws {
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
        _ address: CellAddress, _ configuration: ServerConfiguration, size: Int, _ metrics: DatabaseMetrics
    ) {
        self.init(
            url: address.url, schema: address.schema, size: size,
            preparesStatements: configuration.preparesStatements)
        isDistributed = configuration.isDistributed
        commitsDurably = true
        errorObserver = { metrics.failed($0) }
    }

    /// The configuration for work that no request waits for.
    init(
        atLeisureIn address: CellAddress, _ configuration: ServerConfiguration, _ metrics: DatabaseMetrics
    ) {
        self.init(address, configuration, size: 1, metrics)
    }

    /// The configuration for work that a request waits for.
    init(
        forRequestsTo address: CellAddress, _ configuration: ServerConfiguration, size: Int,
        _ metrics: DatabaseMetrics
    ) {
        self.init(address, configuration, size: size, metrics)
        limitsWaiting = true
        statementTimeout = configuration.statementTimeout
        workTimeout = configuration.workTimeout
    }

    /// The configuration for reports. PostgreSQL cancels a statement a little before the client's timeout
    /// (`limit_waiting`). The factor makes it cancel at the report's own limit.
    init(
        forReportsTo address: CellAddress, _ configuration: ServerConfiguration, _ metrics: DatabaseMetrics
    ) {
        let limits = configuration.reports
        self.init(forRequestsTo: address, configuration, size: limits.connections, metrics)
        statementTimeout = limits.statementTimeout * 15 / 13
        workTimeout = limits.statementTimeout * 2
    }
}
