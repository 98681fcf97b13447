internal import PostgresClient
internal import Synchronization

/// Keeps what a connection is asked to do.
final class StatementRecorder: Sendable {
    private let statements = Mutex<[ObservedStatement]>([])

    var observer: StatementObserver {
        { [self] statement in statements.withLock { $0.append(statement) } }
    }

    /// What was recorded since the last call.
    func take() -> RecordedStatements {
        RecordedStatements(
            statements.withLock { statements in
                defer { statements = [] }
                return statements
            })
    }
}
