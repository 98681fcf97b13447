internal import PostgresClient

/// The statements that the writer sent, batch by batch.
struct RecordedTraffic: Sendable {
    let responses: [RecordedStatements]
    let arrivals: [RecordedStatements]
    /// All events once more.
    let repeated: [RecordedStatements]
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

    /// Sends the statements again in their original transactions: the statements of a transaction in one
    /// pipeline, then its COMMIT. The writer needs the same number of round trips, because its second
    /// pipeline holds the counters and the COMMIT.
    ///
    /// - Returns: the number of notification rows that changed.
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

    /// Sends the statements one by one, each after the one before has ended, and adds up their times.
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
