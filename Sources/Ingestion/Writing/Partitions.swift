internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Synchronization

/// Creates the daily partitions that a batch needs, and remembers those that exist.
///
/// The memory can be stale: maintenance, here or on another server, drops days that are too old. After an insert finds no
/// partition (`PostgresError.noPartition`), the caller calls ``forget()`` and tries again.
final class Partitions: Sendable {
    private let knownDays = Mutex<Set<Instant>>([])

    func ensure(_ instants: [Instant], on connection: PostgresConnection) throws {
        let days = Set(instants.map(\.startOfUTCDay))
        let missing = knownDays.withLock { days.subtracting($0) }
        // The following day is created too, so that its partition exists at midnight.
        for day in Set(missing.flatMap { [$0, $0 + .days(1)] }).sorted() {
            try connection.query(.Ingestion.ensurePartition, [.value(day)])
        }
        knownDays.withLock { $0.formUnion(missing) }
    }

    /// Forgets all known days, because some may have been dropped; each is looked up again.
    func forget() {
        knownDays.withLock { $0.removeAll() }
    }
}

extension PostgresConnection {
    /// Notifications sent before this instant were dropped; 1970-01-01 UTC if none were.
    func keptFrom() throws(PostgresError) -> Instant {
        try query(.Ingestion.keptFrom).first?.get(0) ?? Instant(millisecondsSinceEpoch: 0)
    }
}
