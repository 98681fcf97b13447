internal import CoreMetrics
public import Logging
internal import PostgresClient
public import ServiceLifecycle
internal import TokenLifecycle

/// Checks twice a minute whether a breaker is open: any server or an operator may have opened or closed it. Sets the metric
/// `landfall_breaker_open` and logs when one has opened.
///
/// While the database does not respond, the metric keeps its value; other metrics then show the failure.
public struct BreakerWatch: Service {
    private let pool: PostgresPool
    private let metrics: ServerMetrics
    private let logger: Logger

    init(pool: PostgresPool, metrics: ServerMetrics, logger: Logger) {
        self.pool = pool
        self.metrics = metrics
        self.logger = logger
    }

    public init(_ backend: Backend, logger: Logger) {
        self.init(pool: backend.pool, metrics: backend.metrics, logger: logger)
    }

    public func run() async {
        await cancelWhenGracefulShutdown {
            var known: Int64 = 0
            while !Task.isCancelled {
                known = await look(known: known)
                // If canceled, the loop ends.
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    /// Returns the number of open breakers.
    func look(known: Int64) async -> Int64 {
        guard let open = try? await pool.withConnection({ try HeldTokens.openBreakers(on: $0) }) else {
            return known
        }
        metrics.openBreakers.set(open)
        guard open > known else { return open }
        logger.warning(
            "responses would retire too many tokens at once; further tokens wait for landfall tokens release or confirm",
            metadata: ["breakers": "\(open)"])
        return open
    }
}
