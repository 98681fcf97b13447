internal import PostgresClient
internal import SQLFiles

/// The upper bound: the writer's statements with ready parameters, in the same transactions on one connection.
struct StatementMeasurement {
    private let pool: PostgresPool

    init(_ database: BenchDatabase) {
        pool = database.pool(.forStatements)
    }

    func close() async throws { try await pool.close() }

    func measure(_ writer: WriterMeasurement.Outcome) async throws -> BulkFigures {
        note("measuring SQL")
        let (recording, written) = (writer.recording, writer.writing)
        return BulkFigures(
            responses: try await send(
                recording.responses, "sql_responses", "SQL, answers", events: written.responses.count),
            arrivals: try await send(
                recording.arrivals, "sql_arrivals", "SQL, arrivals", events: written.arrivals.count),
            repeated: try await send(
                recording.repeated, "sql_repeated", "SQL, both again", events: written.repeated.count,
                changing: 0))
    }

    /// - Parameter changing: how many rows change; as many as there are events when nil.
    private func send(
        _ batches: [RecordedStatements], _ name: String, _ what: String, events: Int, changing: Int? = nil
    ) async throws -> Figure {
        try await pool.withConnection { try $0.execute(script: .Bench.checkpoint) }
        var changed = 0
        let seconds = try await measuring {
            for batch in batches {
                try Task.checkCancellation()
                changed += try await pool.withConnection { try batch.send(on: $0) }
            }
        }
        guard changed == changing ?? events else {
            throw BenchProblem.eventsLost(
                figure: name, expected: changing ?? events, accepted: changed, rejected: 0)
        }
        return Figure(name, what, count: events, seconds: seconds)
    }
}
