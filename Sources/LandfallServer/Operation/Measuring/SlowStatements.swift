internal import DeliveryModel
internal import PostgresClient
internal import Synchronization

/// Counts statements that took too long for their request, for the doctor (`ClientWatch`).
final class SlowStatements: Sendable {
    private let counts = Mutex(SlowStatementCounts())

    func met(_ error: PostgresError) {
        guard let statement = error.slowStatement else { return }
        counts.withLock { $0.add(statement) }
    }

    /// The counts since the last call.
    func take() -> SlowStatementCounts {
        counts.withLock { counts in
            defer { counts = SlowStatementCounts() }
            return counts
        }
    }
}
