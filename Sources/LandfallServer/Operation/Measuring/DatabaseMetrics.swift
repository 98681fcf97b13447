internal import CoreMetrics
internal import PostgresClient
internal import PrometheusMetrics

/// Connections to PostgreSQL and their errors.
struct DatabaseMetrics: Sendable {
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    /// Counts an error. The label is 08001 for a connection that could not be opened and 08006 for one that broke, as PostgreSQL
    /// would say if it could; `unreadable` is a response that this client cannot read.
    func failed(_ error: PostgresError) {
        let state =
            switch error {
            case .server(let sqlState, _, _): sqlState.rawValue
            case .noPartition: SQLState.checkViolation.rawValue
            case .unavailable: "08001"
            case .connectionLost, .timedOut: "08006"
            case .unexpectedResult, .tooManyRows: "unreadable"
            }
        Counter(
            label: MetricCatalog.databaseErrors.name, dimensions: [("sqlstate", state)], factory: factory
        ).increment()
    }

    /// Sets the number of a pool's connections.
    func observe(_ pool: PostgresPool, named name: String) {
        let usage = pool.usage
        for (state, count) in [("idle", usage.idle), ("busy", usage.busy)] {
            Meter(
                label: MetricCatalog.databaseConnections.name,
                dimensions: [("pool", name), ("state", state)], factory: factory
            ).set(count)
        }
    }
}
