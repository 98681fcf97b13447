internal import DeliveryModel
internal import PostgresClient
internal import Synchronization

/// Creates the daily partitions that a batch needs, and remembers those that exist. A day that was dropped or
/// closed is not created again: repeated events would count twice.
///
/// The memory can be stale: maintenance, here or on another server, drops days that are too old. After an
/// insert finds no partition (`PostgresError.noPartition`), the caller calls ``forget()`` and tries again.
final class Partitions: Sendable {
    private let knownDays = Mutex<Set<Instant>>([])

    /// Creates the partitions that the items need and may create; rejects items that lack one after that.
    func prepare(
        for items: [BatchItem], now: Instant, on connection: PostgresConnection
    ) throws -> [BatchItem] {
        var (created, asked): (Set<Instant>, Set<Instant>) = ([], [])
        for item in items {
            guard case .success(let event) = item.content else { continue }
            for date in event.dates(now: now) {
                if EventValidator.createsDay(of: date, item.poster, now: now) {
                    created.insert(date.startOfUTCDay)
                } else {
                    asked.insert(date.startOfUTCDay)
                }
            }
        }
        let dropped = try ensure(created, on: connection)
        let missing = try missing(of: asked, on: connection)
        guard !missing.isEmpty || !dropped.isEmpty else { return items }
        return items.map { item in
            guard case .success(let event) = item.content else { return item }
            let days = event.dates(now: now).map(\.startOfUTCDay)
            guard !days.contains(where: dropped.contains) else { return item.rejected(.droppedDay) }
            return days.contains(where: missing.contains) ? item.rejected(.missingDay) : item
        }
    }

    /// Creates the partitions of the days. Returns the days that were dropped: they are not created again.
    private func ensure(_ days: Set<Instant>, on connection: PostgresConnection) throws -> Set<Instant> {
        var missing = knownDays.withLock { days.subtracting($0) }
        var dropped: Set<Instant> = []
        // The following day is created too, so that its partition exists at midnight.
        for day in Set(missing.flatMap { [$0, $0 + .days(1)] }).sorted() {
            let isThere: Bool = try connection.coordinating()
                .query(.Ingestion.ensurePartition, [.value(day)]).single().get("is_there")
            if !isThere, missing.remove(day) != nil { dropped.insert(day) }
        }
        knownDays.withLock { $0.formUnion(missing) }
        return dropped
    }

    /// The days that have no partition.
    private func missing(of days: Set<Instant>, on connection: PostgresConnection) throws -> Set<Instant> {
        let unknown = knownDays.withLock { days.subtracting($0) }
        guard !unknown.isEmpty else { return [] }
        let existing = try connection.query(.Ingestion.existingDays, [.array(unknown.sorted())])
            .column(0, as: Instant.self)
        knownDays.withLock { $0.formUnion(existing) }
        return unknown.subtracting(existing)
    }

    /// Rejects items about notifications dropped with their days as too old, as if the items had stated the
    /// time themselves. If a partition is missing for another reason, creates it for the next attempt.
    func rejected(
        _ items: [BatchItem], _ redirected: RedirectedItems, on connection: PostgresConnection
    ) throws -> [BatchItem] {
        forget()
        let keptFrom = try connection.keptFrom()
        let dropped = redirected.sentAt.filter { $0.value < keptFrom }
        guard !dropped.isEmpty else {
            _ = try ensure(Set(redirected.sentAt.values.map(\.startOfUTCDay)), on: connection)
            throw redirected.underlying
        }
        let rejection = ItemRejection(
            .tooOld, "according to its first response, the notification is older than the retention")
        return items.enumerated().map { dropped[$0] == nil ? $1 : $1.rejected(rejection) }
    }

    /// Forgets all known days, because some may have been dropped; each is looked up again.
    func forget() { knownDays.withLock { $0.removeAll() } }
}

/// Items of a batch whose rows are in days without a partition.
struct RedirectedItems: Error {
    /// The send times of their notifications, by the item's index in the batch.
    let sentAt: [Int: Instant]
    let underlying: PostgresError
}

extension Event {
    /// The dates under which its notification may be stored.
    fileprivate func dates(now: Instant) -> [Instant] {
        guard let sentAt else { return [idTime ?? now] }
        return idTime.map { [$0, sentAt] } ?? [sentAt]
    }
}

extension PostgresConnection {
    /// Notifications sent before this instant were dropped; 1970-01-01 UTC if none were.
    func keptFrom() throws(PostgresError) -> Instant {
        try query(.Ingestion.keptFrom).first?.get(0) ?? Instant(millisecondsSinceEpoch: 0)
    }
}
