internal import PostgresClient
internal import Synchronization

/// Records the statements that a connection sends.
final class StatementRecorder: Sendable {
    private let statements = Mutex<[ObservedStatement]>([])

    var observer: StatementObserver {
        { [self] statement in statements.withLock { $0.append(statement) } }
    }

    /// Returns the statements recorded since the last call.
    func take() -> RecordedStatements {
        RecordedStatements(
            statements.withLock { statements in
                defer { statements = [] }
                return statements
            })
    }
}
