internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles
internal import Synchronization

/// Makes the daily partitions a batch needs, and remembers which are there.
///
/// What it remembers can be wrong: maintenance, here or on another server, drops days that are too old. An insert that finds
/// no partition (`PostgresError.noPartition`) is tried again once after ``forget()``.
final class Partitions: Sendable {
    private let knownDays = Mutex<Set<Instant>>([])

    func ensure(_ instants: [Instant], on connection: PostgresConnection) throws {
        let days = Set(instants.map(\.startOfUTCDay))
        let missing = knownDays.withLock { days.subtracting($0) }
        // The day after each new one is made with it, so that midnight finds its partition waiting.
        for day in Set(missing.flatMap { [$0, $0 + .days(1)] }).sorted() {
            try connection.query(.Ingestion.ensurePartition, [.value(day)])
        }
        knownDays.withLock { $0.formUnion(missing) }
    }

    /// What was known may have been dropped: every day is looked up anew.
    func forget() {
        knownDays.withLock { $0.removeAll() }
    }
}

extension PostgresConnection {
    /// Notifications sent before this instant were dropped; the year 1970 if none were.
    func keptFrom() throws(PostgresError) -> Instant {
        try query(.Ingestion.keptFrom).first?.get(0) ?? Instant(millisecondsSinceEpoch: 0)
    }
}
