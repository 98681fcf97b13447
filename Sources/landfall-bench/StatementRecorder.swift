internal import PostgresClient
internal import SQLFiles
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

/// The statements of one batch, ready to be sent again.
struct RecordedStatements: Sendable {
    private enum Step: Sendable {
        case alone(PostgresStatement)
        case together([PostgresStatement])
    }

    private var steps: [Step] = []

    init(_ statements: [ObservedStatement]) {
        var transaction: [PostgresStatement]?
        for statement in statements {
            switch statement {
            case .begin: transaction = []
            case .commit:
                steps.append(.together(transaction ?? []))
                transaction = nil
            case .rollback: transaction = nil
            case .query(let statement):
                if transaction == nil { steps.append(.alone(statement)) }
                transaction?.append(statement)
            }
        }
    }

    /// Sends them again, within the same transactions, each transaction in one round trip.
    ///
    /// - Returns: how many rows of notifications changed.
    func send(on connection: PostgresConnection) throws -> Int {
        try steps.reduce(0) { count, step in
            switch step {
            case .alone(let statement):
                _ = try connection.query([statement])
                return count
            case .together(let statements):
                let results = try connection.transaction { try connection.query(statements) }
                return zip(statements, results).reduce(count) { count, sent in
                    sent.0.file == .Ingestion.recordDeliveries ? count + sent.1.count : count
                }
            }
        }
    }
}
