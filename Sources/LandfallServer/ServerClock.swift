internal import DeliveryModel
internal import PostgresClient
internal import Synchronization

/// The time that requests go by: this machine's, or PostgreSQL's where the two differ by more than a minute. It is the one clock that all
/// servers of a database share, and what one of them writes is compared with what the others wrote (docs/decisions/0035).
final class ServerClock: Sendable {
    private let known = Mutex<ClockDifference?>(nil)

    /// `nil` while the clocks agree.
    var difference: ClockDifference? { known.withLock { $0 } }

    var now: Instant { difference?.corrected(.now) ?? .now }

    /// Compares the clocks.
    ///
    /// - Returns: the difference now; `nil` if they agree.
    @discardableResult
    func compare(on connection: PostgresConnection) throws -> ClockDifference? {
        let asked = Instant.now
        let clock = try connection.clock()
        let found = ClockDifference(asked: asked, answered: .now, clock: clock)
        known.withLock { $0 = found }
        return found
    }
}
