internal import PostgresClient

/// The upper bound: the writer's statements with ready parameters, in the same transactions.
struct StatementMeasurement {
    private let pool: PostgresPool

    /// As in the writer, a batch that collides with another is tried again.
    private static let attempts = 4

    init(_ database: BenchDatabase, connections: Int) {
        pool = database.pool(.forStatements, size: connections)
    }

    func close() async throws { try await pool.close() }

    /// On one connection.
    func measure(_ recording: RecordedTraffic, of bulk: BulkTraffic) async throws -> [Figure] {
        note("measuring SQL")
        let (responses, arrivals) = (bulk.responses.eventCount, bulk.arrivals.eventCount)
        return [
            try await send(recording.responses, "sql_responses", "SQL, responses", events: responses),
            try await send(recording.arrivals, "sql_arrivals", "SQL, arrivals", events: arrivals),
            try await send(
                recording.repeated, "sql_repeated", "SQL, both again", events: responses + arrivals,
                changing: 0),
        ]
    }

    /// On several connections at once, each with the batches of one writer.
    func measure(
        _ recording: RecordedTraffic, of bulk: BulkTraffic, connections: Int
    ) async throws -> [Figure] {
        note("measuring SQL on \(connections) connections")
        let suffix = "\(connections) connections"
        return [
            try await send(
                recording.responses, "sql_responses_concurrent", "SQL, responses, \(suffix)",
                events: bulk.responses.eventCount, connections: connections),
            try await send(
                recording.arrivals, "sql_arrivals_concurrent", "SQL, arrivals, \(suffix)",
                events: bulk.arrivals.eventCount, connections: connections),
        ]
    }

    /// Measures the batches statement by statement.
    func measureCosts(of batches: [RecordedStatements]) async throws -> StatementCosts {
        note("measuring statements")
        return try await pool.withConnection { connection in
            try connection.execute(script: .Bench.checkpoint)
            var costs = StatementCosts()
            for batch in batches { try batch.send(on: connection, timing: &costs) }
            return costs
        }
    }

    /// - Parameter changing: the number of rows that change; if `nil`, as many as there are events.
    private func send(
        _ batches: [RecordedStatements], _ name: String, _ what: String, events: Int, changing: Int? = nil,
        connections: Int = 1
    ) async throws -> Figure {
        try await pool.withConnection { try $0.execute(script: .Bench.checkpoint) }
        var changed = 0
        let seconds = try await measuring {
            changed = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<connections {
                    let share = batches.enumerated().filter { $0.offset % connections == writer }
                        .map(\.element)
                    group.addTask { try await send(share) }
                }
                return try await group.reduce(0, +)
            }
        }
        guard changed == changing ?? events else {
            throw BenchProblem.eventsLost(
                figure: name, expected: changing ?? events, accepted: changed, rejected: 0)
        }
        return Figure(name, what, count: events, seconds: seconds)
    }

    /// Sends the batches one after the other. Returns the number of rows that changed.
    private func send(_ batches: [RecordedStatements]) async throws -> Int {
        var changed = 0
        for batch in batches {
            try Task.checkCancellation()
            changed += try await pool.withConnection(attempts: Self.attempts) { try batch.send(on: $0) }
        }
        return changed
    }
}
