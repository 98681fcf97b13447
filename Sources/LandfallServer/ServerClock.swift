public import DeliveryModel
internal import PostgresClient
internal import Synchronization

/// The time for requests: this machine's, or PostgreSQL's if the two differ by more than a minute.
/// PostgreSQL's is the one clock that all servers of a database share, and times that one of them writes are
/// compared with the others' (docs/decisions/0035).
public final class ServerClock: Sendable {
    private let known = Mutex<ClockDifference?>(nil)
    private let ahead: Span

    /// - Parameter ahead: is added to the time, for tests that must not meet the end of an hour.
    public init(ahead: Span = .seconds(0)) { self.ahead = ahead }

    /// A clock for another database.
    func ofAnotherDatabase() -> ServerClock { ServerClock(ahead: ahead) }

    /// `nil` while the clocks agree.
    var difference: ClockDifference? { known.withLock { $0 } }

    var now: Instant { (difference?.corrected(.now) ?? .now) + ahead }

    /// Compares the clocks.
    ///
    /// - Returns: the present difference; `nil` if they agree.
    @discardableResult
    func compare(on connection: PostgresConnection) throws -> ClockDifference? {
        let asked = Instant.now
        let clock = try connection.clock()
        let found = ClockDifference(asked: asked, responded: .now, clock: clock)
        known.withLock { $0 = found }
        return found
    }
}
