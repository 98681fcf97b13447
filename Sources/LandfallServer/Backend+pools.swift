internal import PostgresClient

extension PostgresPool.Configuration {
    /// A response promises that what was posted is on disk, so every pool requires commits that wait for the disk.
    fileprivate init(
        _ configuration: ServerConfiguration, size: Int, _ metrics: DatabaseMetrics
    ) {
        self.init(
            url: configuration.databaseURL, size: size, preparesStatements: configuration.preparesStatements)
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
