internal import DeliveryModel
internal import Ingestion
internal import Logging
internal import PostgresClient

/// Measures reading the JSON and writing the events by themselves: the server's own code on one thread,
/// without HTTP. It also records the writer's statements.
struct WriterMeasurement {
    private let database: BenchDatabase
    private let pool: PostgresPool
    private let writer: DeliveryWriter
    private let recorder: StatementRecorder

    init(_ database: BenchDatabase) async throws {
        self.database = database
        recorder = StatementRecorder()
        let pool = database.pool(.forWriter, observer: recorder.observer)
        self.pool = pool
        let taxonomy = try await pool.withConnection { try RejectionTaxonomy(from: $0) }
        writer = DeliveryWriter(
            pool: pool, vault: database.vault, taxonomy: taxonomy, firstShard: 0,
            logger: Logger(label: "landfall-bench"))
    }

    func close() async throws { try await pool.close() }

    func measure(_ bulk: BulkTraffic) async throws -> (figures: [Figure], recording: RecordedTraffic) {
        note("measuring reading and writer")
        var responses: [[BatchItem]] = []
        var arrivals: [[BatchItem]] = []
        let seconds = try await measuring {
            responses = try bulk.responses.map(items)
            arrivals = try bulk.arrivals.map(items)
        }
        let count = bulk.responses.eventCount + bulk.arrivals.eventCount
        let first = try await write("writer_responses", "writer, responses", responses)
        let second = try await write("writer_arrivals", "writer, arrivals", arrivals)
        let third = try await write("writer_repeated", "writer, both again", responses + arrivals)
        return (
            [Figure("reading", "reading JSON", count: count, seconds: seconds), first.0, second.0, third.0],
            RecordedTraffic(responses: first.1, arrivals: second.1, repeated: third.1)
        )
    }

    /// Records the statements that this many writers send alternately, each in its own shard.
    func record(_ bulk: BulkTraffic, writers: Int) async throws -> RecordedTraffic {
        let responses = try await write(
            "writer_responses", "", try bulk.responses.map(items), writers: writers)
        let arrivals = try await write("writer_arrivals", "", try bulk.arrivals.map(items), writers: writers)
        return RecordedTraffic(responses: responses.1, arrivals: arrivals.1, repeated: [])
    }

    private func items(of body: PostedBody) throws -> [BatchItem] {
        let validator = EventValidator(appID: 1, poster: .server, now: .now)
        return try EventBody(body.bytes, isNDJSON: false).items.map {
            BatchItem(appID: database.appID, text: $0, poster: .server, content: validator.decode($0))
        }
    }

    private func write(
        _ name: String, _ what: String, _ batches: [[BatchItem]], writers: Int = 1
    ) async throws -> (Figure, [RecordedStatements]) {
        try await pool.withConnection { try $0.execute(script: .Bench.checkpoint) }
        _ = recorder.take()
        var recorded: [RecordedStatements] = []
        var verdicts: [Verdict] = []
        let seconds = try await measuring {
            for (number, batch) in batches.enumerated() {
                try Task.checkCancellation()
                verdicts += try await writer.write(batch, writer: number % writers)
                recorded.append(recorder.take())
            }
        }
        try check(verdicts, areAll: name == "writer_repeated" ? .duplicate : .accepted, name)
        return (Figure(name, what, count: verdicts.count, seconds: seconds), recorded)
    }

    private func check(_ verdicts: [Verdict], areAll expected: Verdict.Outcome, _ name: String) throws {
        guard verdicts.allSatisfy({ $0.outcome == expected }) else {
            let accepted = verdicts.count { $0.outcome == .accepted }
            let duplicates = verdicts.count { $0.outcome == .duplicate }
            throw BenchProblem.eventsLost(
                figure: name, expected: expected == .accepted ? verdicts.count : 0, accepted: accepted,
                rejected: verdicts.count - accepted - duplicates)
        }
    }
}
