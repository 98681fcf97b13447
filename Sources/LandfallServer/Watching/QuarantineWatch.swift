internal import CoreMetrics
internal import Ingestion
internal import PostgresClient
public import ServiceLifecycle

/// Reads twice a minute how much is in quarantine and how much was evicted: any server or an operator may have changed it.
///
/// While the database does not respond, the metrics keep their values; other metrics then show the failure.
public struct QuarantineWatch: Service {
    private let pool: PostgresPool
    private let metrics: ServerMetrics

    init(pool: PostgresPool, metrics: ServerMetrics) {
        self.pool = pool
        self.metrics = metrics
    }

    public init(_ backend: Backend) {
        self.init(pool: backend.pool, metrics: backend.metrics)
    }

    public func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await look()
                // If canceled, the loop ends.
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    func look() async {
        guard let totals = try? await pool.withConnection({ try QuarantineStock.totals(on: $0) }) else {
            return
        }
        for (poster, total) in totals {
            metrics.quarantinedItems[poster]?.set(total.items)
            metrics.evictedItems[poster]?.set(total.evicted)
        }
    }
}
