internal import PostgresClient
internal import SQLFiles

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

    /// Sends them again as they came, within the same transactions: what one holds in one pipeline, then its COMMIT. That
    /// is as many round trips as the writer needs, whose second pipeline holds the counters and the COMMIT.
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

    /// Sends them one by one, each waiting for the one before, and adds up how long each took.
    func send(on connection: PostgresConnection, timing costs: inout StatementCosts) throws {
        for step in steps {
            switch step {
            case .alone(let statement):
                try costs.measure(statement) { try connection.query([statement]) }
            case .together(let statements):
                let start = ContinuousClock.now
                var seconds = 0.0
                try connection.transaction {
                    for statement in statements {
                        seconds += try costs.measure(statement) { try connection.query([statement]) }
                    }
                }
                costs.addCommit(seconds: (ContinuousClock.now - start) / .seconds(1) - seconds)
            }
        }
    }
}
