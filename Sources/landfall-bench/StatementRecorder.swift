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
    private struct Query: Sendable {
        let file: SQLFile
        let parameters: [PostgresParameter]
    }

    private enum Step: Sendable {
        case alone(Query)
        case together([Query])
    }

    private var steps: [Step] = []

    init(_ statements: [ObservedStatement]) {
        var transaction: [Query]?
        for statement in statements {
            switch statement {
            case .begin: transaction = []
            case .commit:
                steps.append(.together(transaction ?? []))
                transaction = nil
            case .rollback: transaction = nil
            case .query(let file, let parameters):
                let query = Query(file: file, parameters: parameters)
                if transaction == nil { steps.append(.alone(query)) }
                transaction?.append(query)
            }
        }
    }

    /// Sends them again, within the same transactions.
    ///
    /// - Returns: how many rows of notifications changed.
    func send(on connection: PostgresConnection) throws -> Int {
        try steps.reduce(0) { count, step in
            switch step {
            case .alone(let query): return count + (try Self.send(query, on: connection))
            case .together(let queries):
                return try connection.transaction {
                    try queries.reduce(count) { $0 + (try Self.send($1, on: connection)) }
                }
            }
        }
    }

    private static func send(_ query: Query, on connection: PostgresConnection) throws -> Int {
        let rows = try connection.query(query.file, query.parameters)
        return query.file == .Ingestion.recordDeliveries ? rows.count : 0
    }
}
