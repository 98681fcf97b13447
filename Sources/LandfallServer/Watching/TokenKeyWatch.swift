internal import Logging
internal import PostgresClient
internal import ServiceLifecycle
internal import TokenLifecycle

/// Holds the lock on the token key while the server runs, so that no command moves the tokens to another key unnoticed. Ends the
/// server if that has happened (docs/decisions/0019).
///
/// The lock ends with its connection, so it is taken repeatedly: after a restart of the database there is a new connection.
struct TokenKeyWatch: Service {
    let backend: Backend
    var interval = Duration.seconds(10)
    let logger: Logger

    /// - Throws: `TokenKeyError` if the server must stop writing.
    func run() async throws {
        try await every(interval, from: ()) { _ in
            do {
                try await backend.patientPool.withConnection { [backend] in try backend.vault.hold($0) }
            } catch let error as PostgresError {
                logger.debug(
                    "the lock on the token key could not be taken yet", metadata: ["error": "\(error)"])
            }
        }
    }
}
