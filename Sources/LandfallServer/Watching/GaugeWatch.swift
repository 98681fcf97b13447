internal import CoreMetrics
internal import Ingestion
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle
internal import TokenLifecycle

/// Reads twice a minute how many breakers are open, how much is in quarantine and how much was evicted: any
/// server or an operator may have changed it. Sets the metrics, and logs when a breaker has opened.
///
/// While the database does not respond, the metrics keep their values; other metrics then show the failure.
struct GaugeWatch: Service {
    let pool: PostgresPool
    let metrics: CellMetrics
    let logger: Logger

    func run() async {
        await every(.seconds(30), from: Int64(0)) { $0 = await look(knownOpen: $0) }
    }

    /// Returns the number of open breakers.
    func look(knownOpen: Int64 = 0) async -> Int64 {
        let read = try? await pool.withConnection { connection in
            (try HeldTokens.openBreakers(on: connection), try QuarantineStock.totals(on: connection))
        }
        guard let (open, totals) = read else { return knownOpen }
        for (poster, total) in totals {
            metrics.quarantinedItems[poster]?.set(total.items)
            metrics.evictedItems[poster]?.set(total.evicted)
        }
        metrics.openBreakers.set(open)
        guard open > knownOpen else { return open }
        logger.warning(
            "responses would retire too many tokens at once; further tokens wait for landfall tokens release or confirm",
            metadata: ["breakers": "\(open)"])
        return open
    }
}
