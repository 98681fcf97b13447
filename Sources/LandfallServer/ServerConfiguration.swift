public import DeliveryModel

/// How one server is set up.
public struct ServerConfiguration: Sendable {
    public var host = "127.0.0.1"
    public var port = 8080
    /// Anything libpq takes.
    public var databaseURL: String
    public var limits = Limits()
    /// How long rows are kept; older events are refused.
    public var retention = Span.standardRetention
    /// Batches that may be under way at once.
    public var writers = 2
    /// Connections for registrations, keys and health checks.
    public var administrationConnections = 4
    /// Off for PgBouncer before 1.21 in transaction mode.
    public var preparesStatements = true

    public init(databaseURL: String) {
        self.databaseURL = databaseURL
    }
}
