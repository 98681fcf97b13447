public import DeliveryModel

/// How one server is set up.
public struct ServerConfiguration: Sendable {
    /// As the `Server` field of answers says it.
    static let serverName = "landfall"

    public var host = "127.0.0.1"
    public var port = 8080
    /// Anything libpq takes.
    public var databaseURL: String
    public var limits = Limits()
    public var reports = ReportLimits()
    /// How long rows are kept; older events are refused.
    public var retention = Span.standardRetention
    /// Batches that may be under way at once.
    public var writers = 2
    /// Connections for registrations, keys and health checks.
    public var administrationConnections = 4
    /// Off for PgBouncer before 1.21 in transaction mode.
    public var preparesStatements = true
    /// Serves also from a database that may lose what it committed.
    public var allowsUnsafeDatabase = false
    /// Whether this server does the periodic maintenance.
    public var runsMaintenance = true
    /// How long requests that are under way may go on after a signal to stop.
    public var shutdownGrace = Duration.seconds(20)
    public var logging = LogSettings()
    /// How long a rendering of `/metrics` is given to all who ask.
    public var metricsLifetime = Duration.seconds(1)
    /// Leaves core dumps as the system has them; else there are none, because they would hold token values.
    public var allowsCoreDumps = false

    /// How long one round trip to the database may take before its connection is given up as lost.
    public var statementTimeout = Duration.seconds(15)
    /// How long a request may need the database in all, with every attempt. Less than a client waits for its answer.
    public var workTimeout = Duration.seconds(25)

    public init(databaseURL: String) {
        self.databaseURL = databaseURL
    }
}
