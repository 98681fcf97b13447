internal import DeliveryModel
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle

/// Records twice a minute, for the doctor, what clients did that an operator should know of: connections beyond the limit of an
/// address, keys that belong on servers in pages, and requests without a credential.
struct ClientWatch: Service {
    private let pool: PostgresPool
    private let connections: ConnectionMetrics
    private let browsers: BrowserMetrics
    private let registrations: RegistrationMetrics
    private let source: String
    private let logger: Logger

    init(_ backend: Backend, logger: Logger) {
        pool = backend.pool
        connections = backend.metrics.connections
        browsers = backend.metrics.browsers
        registrations = backend.metrics.registrations
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
        let rejected = registrations.takeRejected()
        guard closed > known || keys != nil || rejected > 0 else { return closed }
        do {
            try await pool.withConnection { [source] connection in
                if closed > known {
                    try connection.note(
                        .crowdedAddress, from: source, CrowdedAddresses(closed: closed - known))
                }
                if rejected > 0 {
                    try connection.note(
                        .credentialsMissing, from: source, RequestsWithoutCredential(count: rejected))
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
