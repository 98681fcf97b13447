internal import CoreMetrics
public import Logging
internal import PostgresClient
public import ServiceLifecycle
internal import TokenLifecycle

/// Looks twice a minute whether a breaker is open: any server, or a person, may have opened or closed it. Says so in the metric
/// `landfall_breaker_open` and, when one has opened, in the log.
///
/// While the database does not answer, the metric stays as it was: then other metrics tell.
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
                // Cancelled: the loop ends.
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    /// How many breakers are open now.
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
