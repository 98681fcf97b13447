public import Logging
internal import NIOPosix
internal import Synchronization

/// A fixed number of connections, each used by one thread at a time.
///
/// libpq blocks, and a slow query must not hold up the threads that serve HTTP. Work is handed to a small
/// pool of threads, as many as connections, and waits there for its turn. Connections open when first needed
/// and are dropped when they break. After a failed attempt to connect, further ones fail at once until a
/// jittered back-off has passed.
public final class PostgresPool: Sendable {
    public struct Configuration: Sendable {
        /// A URL or connection string, in any form that libpq accepts.
        public var url: String
        public var schema: SchemaName
        public var size: Int
        /// Off for PgBouncer before 1.21 in transaction mode, which breaks named prepared statements.
        public var preparesStatements: Bool
        /// Whether each prepared statement keeps one plan, made without regard to its parameters: for work
        /// that looks up rows by their keys.
        public var plansOnce = false
        /// Whether the URL is that of a coordinator of Citus, which distributes the schema.
        public var isDistributed = false
        /// Makes commits wait for the disk, even if the database or the role is set not to.
        public var commitsDurably = false
        /// Called for each error of PostgreSQL, including those that are tried again.
        public var errorObserver: (@Sendable (PostgresError) -> Void)?
        /// Whether the server, too, cancels what takes too long, a little before `statementTimeout`: for work
        /// that a request waits for.
        public var limitsWaiting = false
        /// How long a round trip may take before the connection is closed as lost; `nil` means no limit.
        public var statementTimeout: Duration?
        /// How long a piece of work may take, including every attempt and connecting; `nil` means no limit.
        public var workTimeout: Duration?
        /// Called for each step of a connection, for measurements; `nil` costs nothing.
        public var statementObserver: StatementObserver?

        public init(
            url: String, schema: SchemaName = .landfall, size: Int, preparesStatements: Bool = true
        ) {
            self.url = url
            self.schema = schema
            self.size = size
            self.preparesStatements = preparesStatements
        }
    }

    /// A connection that moves between threads.
    ///
    /// Unchecked, and safe: a connection is either in `idle` or held by the one thread that took it out.
    private struct IdleConnection: @unchecked Sendable {
        let connection: PostgresConnection
    }

    private struct State {
        var idle: [IdleConnection] = []
        var busy = 0
        var backoff = ConnectBackoff()
    }

    private let configuration: Configuration
    private let logger: Logger
    private let threads: NIOThreadPool
    private let state = Mutex(State())
    private let ending = EndOfWork()
    /// `nil` unless the schema is distributed.
    private let node: CitusNode?

    public init(_ configuration: Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        node =
            configuration.isDistributed
            ? CitusNode(coordinator: configuration.url, schema: configuration.schema) : nil
        self.threads = NIOThreadPool(numberOfThreads: max(1, configuration.size))
        self.threads.start()
    }

    /// Runs the body with a connection, on a thread of the pool. The body blocks; it may run several
    /// statements and transactions, and must not keep the connection.
    ///
    /// - Parameter attempts: how often the work is tried in total if errors are transient
    ///   (`PostgresError.isTransient`). More than one is only for work that may be repeated. Work is not
    ///   tried again if PostgreSQL canceled a statement that took too long, once the pool is ending, or if
    ///   its `workTimeout` has passed.
    public func withConnection<Value: Sendable>(
        attempts: Int = 1,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let deadline = configuration.workTimeout.map { ContinuousClock.now + $0 }
        var attempt = 1
        while true {
            do {
                return try await threads.runIfActive { try self.run(body, until: deadline) }
            } catch let error as PostgresError
                where error.isTransient && error.sqlState != .queryCanceled && attempt < attempts
            {
                let pause = ConnectBackoff.delay(afterFailures: attempt)
                guard mayTryAgain(after: pause, until: deadline) else { throw error }
                logger.debug("trying again", metadata: ["error": "\(error)", "attempt": "\(attempt)"])
                try await Task.sleep(for: pause)
                attempt += 1
            }
        }
    }

    private func mayTryAgain(after pause: Duration, until deadline: ContinuousClock.Instant?) -> Bool {
        guard ending.deadline == nil else { return false }
        return deadline.map { .now + pause < $0 } ?? true
    }

    /// Like `withConnection`, with the body in one transaction.
    public func withTransaction<Value: Sendable>(
        attempts: Int = 1,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withConnection(attempts: attempts) { connection in
            try connection.transaction { try body(connection) }
        }
    }

    /// The number of connections by state.
    public struct Usage: Hashable, Sendable {
        public let idle: Int
        /// In use, or being opened.
        public let busy: Int
    }

    public var usage: Usage { state.withLock { Usage(idle: $0.idle.count, busy: $0.busy) } }

    /// Lets current work continue for this long, then abandons what waits for the server. Nothing is retried.
    public func beginToEnd(within patience: Duration) {
        ending.set(.now + patience)
    }

    /// Whether work was abandoned because the pool had to end.
    public var hasAbandonedWork: Bool { ending.hasAbandoned }

    /// Closes idle connections and ends the threads, after the current work.
    public func close() async throws {
        try await threads.shutdownGracefully()
        state.withLock { $0.idle.removeAll() }
    }

    private func run<Value>(
        _ body: (PostgresConnection) throws -> Value, until deadline: ContinuousClock.Instant?
    ) throws -> Value {
        state.withLock { $0.busy += 1 }
        defer { state.withLock { $0.busy -= 1 } }
        do {
            return try runOnConnection(body, until: deadline)
        } catch {
            if let error = error as? PostgresError { configuration.errorObserver?(error) }
            throw error
        }
    }

    private func runOnConnection<Value>(
        _ body: (PostgresConnection) throws -> Value, until deadline: ContinuousClock.Instant?
    ) throws -> Value {
        if let deadline, deadline <= .now {
            throw PostgresError.unavailable(reason: "no connection was free in time")
        }
        let connection = try idleConnection()?.connection ?? connect(until: deadline)
        connection.workDeadline = deadline
        do {
            let value = try body(connection)
            putBack(connection)
            return value
        } catch let error as PostgresError where error.endsConnection {
            logger.warning("connection dropped", metadata: ["error": "\(error)"])
            if error.sqlState == .schemaMoved { node?.forget() }
            // The others are most likely broken as well, and the next caller should not have to find out.
            state.withLock { $0.idle.removeAll() }
            throw error
        } catch {
            putBack(connection)
            throw error
        }
    }

    /// Closes connections to a node that held the schema before.
    private func idleConnection() throws -> IdleConnection? {
        let url = try node?.url()
        return state.withLock { state in
            if let url { state.idle.removeAll { $0.connection.citus?.node != url } }
            return state.idle.popLast()
        }
    }

    private func putBack(_ connection: PostgresConnection) {
        guard connection.isIdle else { return }
        let idle = IdleConnection(connection: connection)
        state.withLock { $0.idle.append(idle) }
    }

    private func connect(until deadline: ContinuousClock.Instant?) throws -> PostgresConnection {
        if let end = ending.deadline, end <= .now {
            throw PostgresError.unavailable(reason: "this program is ending")
        }
        try state.withLock { try $0.backoff.checkIsOver(now: .now) }
        do {
            let url = try node?.url() ?? configuration.url
            let connection = try PostgresConnection(
                url: url, schema: configuration.schema,
                preparesStatements: configuration.preparesStatements,
                patience: Patience(statementTimeout: configuration.statementTimeout, ending: ending),
                statementObserver: configuration.statementObserver)
            connection.workDeadline = deadline
            try node?.prepare(connection, to: url)
            if configuration.commitsDurably { try connection.execute(script: .Administration.commitDurably) }
            // Behind a pooler, a session serves others after each transaction, and would keep these settings.
            if configuration.preparesStatements {
                if configuration.plansOnce { try connection.planOnce(isLocal: false) }
                if configuration.limitsWaiting, let timeout = configuration.statementTimeout {
                    try connection.limitWaiting(timeout, isLocal: false)
                }
            }
            state.withLock { $0.backoff.connected() }
            return connection
        } catch {
            state.withLock { $0.backoff.couldNotConnect(error, now: .now) }
            throw error
        }
    }
}

/// Determines when the next attempt to connect is due.
private struct ConnectBackoff {
    private var failures = 0
    private var lastError: PostgresError?
    private var nextAttempt: ContinuousClock.Instant?

    mutating func connected() {
        self = ConnectBackoff()
    }

    mutating func couldNotConnect(_ error: PostgresError, now: ContinuousClock.Instant) {
        failures += 1
        lastError = error
        nextAttempt = now + Self.delay(afterFailures: failures)
    }

    func checkIsOver(now: ContinuousClock.Instant) throws(PostgresError) {
        guard let nextAttempt, now < nextAttempt, let lastError else { return }
        throw lastError
    }

    /// 25 to 50 ms after the first failure, then doubled with each further one, up to 2 s. Random, so that
    /// servers do not reconnect all at once.
    static func delay(afterFailures failures: Int) -> Duration {
        let ceiling = min(2_000, 50 << min(failures - 1, 6))
        return .milliseconds(Int.random(in: ceiling / 2...ceiling))
    }
}
