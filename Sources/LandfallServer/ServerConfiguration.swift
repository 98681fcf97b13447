public import DeliveryModel
public import Ingestion

/// How one server is set up.
public struct ServerConfiguration: Sendable {
    public struct Limits: Sendable {
        /// Of a request body, once unpacked.
        public var bodyBytes = 16 * 1_024 * 1_024
        public var itemsPerRequest = 10_000
        /// What may wait to be written; beyond it requests are answered 503.
        public var queued = BatchSize(items: 100_000, bytes: 64 << 20)

        public init() {}
    }

    public var host = "127.0.0.1"
    public var port = 8080
    /// Anything libpq takes.
    public var databaseURL: String
    public var limits = Limits()
    /// How long rows are kept; older events are refused.
    public var retention = Span.days(400)
    /// Batches that may be under way at once.
    public var writers = 1
    /// Connections for registrations, keys and health checks.
    public var administrationConnections = 4
    /// Off for PgBouncer before 1.21 in transaction mode.
    public var preparesStatements = true
    /// Serves also from a database that may lose what it committed.
    public var allowsUnsafeDatabase = false
    /// Whether this server does the periodic maintenance.
    public var runsMaintenance = true
    /// How long requests that are under way may go on after SIGTERM or SIGINT.
    public var shutdownGrace = Duration.seconds(20)
    public var logging = LogSettings()

    public init(databaseURL: String) {
        self.databaseURL = databaseURL
    }
}
