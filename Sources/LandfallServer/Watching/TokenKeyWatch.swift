internal import Logging
internal import PostgresClient
internal import ServiceLifecycle
internal import TokenLifecycle

/// Holds the token key for as long as the server runs, so that nobody moves the tokens to another one behind its back; and ends
/// the server when somebody has (docs/decisions/0019).
///
/// The hold goes with its connection, so it is taken again and again: after a restart of the database there is a new one.
struct TokenKeyWatch: Service {
    private let pool: PostgresPool
    private let vault: TokenVault
    private let interval: Duration
    private let logger: Logger

    init(_ backend: Backend, interval: Duration = .seconds(10), logger: Logger) {
        pool = backend.patientPool
        vault = backend.vault
        self.interval = interval
        self.logger = logger
    }

    /// - Throws: `TokenKeyError` when the server must not write any more.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await pool.withConnection { [vault] in try vault.hold($0) }
                } catch let error as PostgresError {
                    logger.debug(
                        "the lock on the token key could not be taken yet", metadata: ["error": "\(error)"])
                }
                // Cancelled: the loop ends.
                try? await Task.sleep(for: interval)
            }
        }
    }
}
