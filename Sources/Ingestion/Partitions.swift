internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles
internal import Synchronization
internal import TokenLifecycle

/// Makes the daily partitions a batch needs, and remembers which are there.
final class Partitions: Sendable {
    private let knownDays = Mutex<Set<Int64>>([])

    func ensure(_ instants: [Instant], on connection: PostgresConnection) throws {
        let day = Span.days(1).milliseconds
        // Division that rounds down: days before 1970 are older than any retention, but must not be mistaken.
        let days = Set(
            instants.map { ($0.millisecondsSinceEpoch - ($0.millisecondsSinceEpoch % day + day) % day) / day }
        )
        for missing in knownDays.withLock({ days.subtracting($0) }).sorted() {
            let instant = Instant(millisecondsSinceEpoch: missing * day)
            try connection.query(.Ingestion.ensurePartition, [.value(instant)])
            _ = knownDays.withLock { $0.insert(missing) }
        }
    }
}

/// Remembers when a sign of life of each app was last written, so that it is written once a minute and not once a batch.
final class HeardApps: Sendable {
    private let lastWritten = Mutex<[Int64: Instant]>([:])

    /// The apps whose sign of life is to be written again.
    func due(_ appIDs: Set<Int64>, now: Instant) -> Set<Int64> {
        lastWritten.withLock { lastWritten in
            let due = appIDs.filter { appID in
                lastWritten[appID].map { now - $0 >= Span.minutes(1) } ?? true
            }
            for appID in due { lastWritten[appID] = now }
            return due
        }
    }
}
