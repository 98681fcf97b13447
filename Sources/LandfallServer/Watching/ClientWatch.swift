internal import DeliveryModel
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle

/// Records, twice a minute and for the doctor, trouble with clients' requests that an operator should know of: connections beyond
/// the limit of an address, server keys in pages, requests without a credential, requests rejected with 429, and statements that
/// took too long.
struct ClientWatch: Service {
    private let pool: PostgresPool
    private let connections: ConnectionMetrics
    private let browsers: BrowserMetrics
    private let registrations: RegistrationMetrics
    private let rateLimits: RateLimitRejections
    private let slowStatements: SlowStatements
    private let source: String
    private let logger: Logger

    init(_ backend: Backend, logger: Logger) {
        pool = backend.pool
        connections = backend.metrics.connections
        browsers = backend.metrics.browsers
        registrations = backend.metrics.registrations
        rateLimits = backend.metrics.rateLimits
        slowStatements = backend.metrics.slowStatements
        source = backend.name
        self.logger = logger
    }

    func run() async {
        await every(.seconds(30), from: Seen()) { await look(&$0) }
    }

    /// What is known from earlier looks.
    struct Seen {
        /// The connections that were closed.
        var closed: Int64 = 0
        var rateLimited = Episode<RateLimitedRequests>()
        var slow = Episode<SlowStatementCounts>()
    }

    func look(_ seen: inout Seen) async {
        let closed = connections.closedFromAddress - seen.closed
        let keys = browsers.takeKeysInPages()
        let rejected = registrations.takeRejected()
        seen.closed += closed
        seen.rateLimited.add(rateLimits.take(), at: .now)
        seen.slow.add(slowStatements.take(), at: .now)
        let slow = seen.slow.isChanged ? seen.slow.counts : nil
        let limited = seen.rateLimited.isChanged ? seen.rateLimited.counts : nil
        guard closed > 0 || keys != nil || rejected > 0 || limited != nil || slow != nil else { return }
        do {
            try await pool.withConnection { [source] connection in
                if closed > 0 {
                    try connection.note(.crowdedAddress, from: source, CrowdedAddresses(closed: closed))
                }
                if rejected > 0 {
                    try connection.note(
                        .credentialsMissing, from: source, RequestsWithoutCredential(count: rejected))
                }
                if let keys { try connection.note(.keyInBrowser, from: source, keys) }
                if let limited { try connection.note(.rateLimited, from: source, limited) }
                if let slow { try connection.note(.slowStatements, from: source, slow) }
            }
            seen.rateLimited.isChanged = false
            seen.slow.isChanged = false
        } catch {
            logger.debug(
                "what clients did could not be recorded for the doctor", metadata: ["error": "\(error)"])
        }
    }
}
