internal import DeliveryModel
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle

/// Records twice a minute, for the doctor, what clients did that an operator should know of: connections beyond the limit of an
/// address, and keys that belong on servers in pages.
struct ClientWatch: Service {
    private let pool: PostgresPool
    private let connections: ConnectionMetrics
    private let browsers: BrowserMetrics
    private let source: String
    private let logger: Logger

    init(_ backend: Backend, logger: Logger) {
        pool = backend.pool
        connections = backend.metrics.connections
        browsers = backend.metrics.browsers
        source = backend.name
        self.logger = logger
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            var known: Int64 = 0
            while !Task.isCancelled {
                known = await look(known: known)
                // If canceled, the loop ends.
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    /// - Parameter known: the connections that were closed before the last look.
    /// - Returns: those that were closed until now.
    func look(known: Int64) async -> Int64 {
        let closed = connections.closedFromAddress
        let keys = browsers.takeKeysInPages()
        guard closed > known || keys != nil else { return closed }
        do {
            try await pool.withConnection { [source] connection in
                if closed > known {
                    try connection.note(
                        .crowdedAddress, from: source, CrowdedAddresses(closed: closed - known))
                }
                if let keys { try connection.note(.keyInBrowser, from: source, keys) }
            }
        } catch {
            logger.debug(
                "what clients did could not be recorded for the doctor", metadata: ["error": "\(error)"])
        }
        return closed
    }
}
