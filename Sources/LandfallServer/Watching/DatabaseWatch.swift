internal import DeliveryModel
internal import Logging
internal import PostgresClient
internal import ServiceLifecycle
internal import Vault

/// Prepares a database that could not be written to when the server started, and compares this server's clock
/// with PostgreSQL's every 30 seconds. It logs when they begin or cease to differ by more than a minute, and
/// records the difference for the doctor while it lasts.
struct DatabaseWatch: Service {
    let cell: Cell
    /// This server's name.
    let source: String
    let logger: Logger

    func run() async {
        await every(.seconds(30), from: (isNoted: true, isSettled: cell.isSettled)) { known in
            if !known.isSettled { known.isSettled = await settle() }
            known.isNoted = await look(isNoted: known.isNoted)
        }
    }

    /// Writes everything that a starting server writes, once a standby has been promoted.
    private func settle() async -> Bool {
        let isSettled = await logger.attempt("the database could not be prepared yet") {
            try await cell.settle(logger: logger)
        }
        guard isSettled == true else { return false }
        logger.notice("the database can be written to again")
        return true
    }

    /// Returns whether a difference is recorded in the database. `isNoted` is true at first, because an
    /// earlier run of this server may have recorded one.
    func look(isNoted: Bool) async -> Bool {
        let clock = cell.clock
        let before = clock.difference
        let compared = await logger.attempt("the clocks could not be compared yet") {
            try await cell.pool.withConnection { [source] connection in
                let difference = try clock.compare(on: connection)
                if difference != nil || isNoted {
                    try connection.note(.serverClock, from: source, difference)
                }
                return difference
            }
        }
        guard let difference = compared else { return isNoted }
        if let difference, before == nil {
            logger.warning(.clockDiffers, metadata: ["ahead_seconds": "\(difference.seconds)"])
        } else if difference == nil, before != nil {
            logger.info("this server's clock agrees with PostgreSQL's again")
        }
        return difference != nil
    }
}

extension Logger.Message {
    /// Logged at the start, and whenever a difference begins.
    static let clockDiffers: Self =
        "this server's clock and PostgreSQL's differ by more than a minute: the server uses PostgreSQL's; synchronize both with NTP"
}

/// Holds the lock on the token key while the server runs, so that no command moves the tokens to another key
/// unnoticed. Ends the server if that has happened (docs/decisions/0019).
///
/// The lock ends with its connection, so it is taken repeatedly: a restarted database has a new connection.
struct TokenKeyWatch: Service {
    let cell: Cell
    var interval = Duration.seconds(10)
    let logger: Logger

    /// - Throws: `TokenKeyError` if the server must stop writing.
    func run() async throws {
        try await every(interval, from: ()) { _ in
            do {
                try await cell.patientPool.withConnection { [cell] in try cell.vault.hold($0) }
            } catch let error as PostgresError {
                logger.debug(
                    "the lock on the token key could not be taken yet", metadata: ["error": "\(error)"])
            }
        }
    }
}
