internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles
internal import Synchronization

/// Makes the daily partitions a batch needs, and remembers which are there.
final class Partitions: Sendable {
    private let knownDays = Mutex<Set<Int64>>([])

    func ensure(_ instants: [Instant], on connection: PostgresConnection) throws {
        let length = Span.days(1).milliseconds
        // Division that rounds down: days before 1970 are older than any retention, but must not be mistaken.
        let days = Set(
            instants.map {
                ($0.millisecondsSinceEpoch - ($0.millisecondsSinceEpoch % length + length) % length) / length
            }
        )
        let missing = knownDays.withLock { days.subtracting($0) }
        // The day after each new one is made with it, so that midnight finds its partition waiting.
        for day in Set(missing.flatMap { [$0, $0 + 1] }).sorted() {
            try connection.query(
                .Ingestion.ensurePartition, [.value(Instant(millisecondsSinceEpoch: day * length))])
        }
        knownDays.withLock { $0.formUnion(missing) }
    }

    /// What was known may have been dropped: every day is looked up anew.
    func forget() {
        knownDays.withLock { $0.removeAll() }
    }
}
