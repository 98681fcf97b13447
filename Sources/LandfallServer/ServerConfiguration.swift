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
    public var writers = 2
    /// Connections for registrations, keys and health checks.
    public var administrationConnections = 4
    /// Off for PgBouncer before 1.21 in transaction mode.
    public var preparesStatements = true

    /// How long one round trip to the database may take before its connection is given up as lost.
    public var statementTimeout = Duration.seconds(15)
    /// How long a request may need the database in all, with every attempt. Less than a client waits for its answer.
    public var workTimeout = Duration.seconds(25)

    public init(databaseURL: String) {
        self.databaseURL = databaseURL
    }
}
