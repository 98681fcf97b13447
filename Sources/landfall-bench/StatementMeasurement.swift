internal import PostgresClient
internal import SQLFiles

/// The upper bound: the writer's statements with ready parameters, in the same transactions on one connection.
struct StatementMeasurement {
    struct Figures: Sendable {
        let responses: Figure
        let arrivals: Figure
        let repeated: Figure
    }

    private let pool: PostgresPool

    static func run(
        _ recording: WriterMeasurement.Recording, as writer: WriterMeasurement.Figures,
        _ database: BenchDatabase
    ) async throws -> Figures {
        let pool = database.pool(.forStatements)
        return try await ending({ try await pool.close() }) {
            try await StatementMeasurement(pool: pool).run(recording, as: writer)
        }
    }

    private func run(
        _ recording: WriterMeasurement.Recording, as writer: WriterMeasurement.Figures
    ) async throws -> Figures {
        note("measuring SQL")
        return Figures(
            responses: try await send(
                recording.responses, "sql_responses", "SQL, answers", events: writer.responses.count),
            arrivals: try await send(
                recording.arrivals, "sql_arrivals", "SQL, arrivals", events: writer.arrivals.count),
            repeated: try await send(
                recording.repeated, "sql_repeated", "SQL, both again", events: writer.repeated.count,
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
