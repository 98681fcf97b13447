internal import ChildPrograms
internal import Foundation
internal import PostgresClient
internal import SQLFiles

/// Measures the server over HTTP.
struct ServerMeasurement {
    /// One run of wrk.
    fileprivate struct Run {
        let outcome: Wrk.Outcome
        let serverPeakMemory: Int?
    }

    let settings: BenchSettings
    let server: ServerProgram
    let wrk: Wrk
    let database: BenchDatabase
    /// Receives the file with the requests.
    let folder: URL
    private let connection: PostgresConnection

    /// The time limit of a bulk run, in seconds. No run takes this long: the limit only prevents a hanging server from blocking
    /// the benchmark indefinitely.
    private static let bulkSeconds = 120

    init(
        _ settings: BenchSettings, server: ServerProgram, wrk: Wrk, database: BenchDatabase, folder: URL
    ) throws {
        self.settings = settings
        self.server = server
        self.wrk = wrk
        self.database = database
        self.folder = folder
        self.connection = try database.connection(to: .forServer)
    }

    /// Measures bulk posts. Call it before single posts: the writer and the bare statements do not have their rows either.
    func measure(_ bulk: BulkRound) async throws -> [Figure] {
        [
            try await measureBulk("http_bulk_responses", "responses", bulk.compared.responses),
            try await measureBulk("http_bulk_arrivals", "arrivals", bulk.compared.arrivals),
            try await measureRepetition(bulk.compared.repeated),
            try await measureBulk("http_bulk_all_accepted", "responses, all 200", bulk.accepted),
            try await measureBulk("http_bulk_all_dead", "responses, all 410", bulk.dead),
        ]
    }

    func measure(_ singles: [BenchNotification]) async throws -> [Figure] {
        let noOp = try await measureNoOp()
        let (responses, posted) = try await measureSingle(
            "http_single_responses", "responses", singles.map(\.response))
        let responded = singles.prefix(posted).filter(\.isAccepted)
        let (arrivals, _) = try await measureSingle(
            "http_single_arrivals", "arrivals", responded.map(\.arrival))
        return [noOp, responses, arrivals]
    }

    private func measureNoOp() async throws -> Figure {
        let load = Wrk.Load(
            requests: try RequestFile(noOpAt: requestsURL), connections: settings.singleConnections,
            seconds: settings.noOpSeconds, end: .atTimeLimit)
        let run = try await run(load, "no-op")
        return Figure(
            "http_no_op", "GET /healthz (no-op)", .requests, count: run.outcome.requests, run)
    }

    private func measureBulk(_ name: String, _ kind: String, _ bodies: [PostedBody]) async throws -> Figure {
        let (run, recorded) = try await post(bodies, .whenResponded, name)
        guard recorded.accepted == bodies.eventCount else {
            throw BenchProblem.eventsLost(
                figure: name, expected: bodies.eventCount, accepted: recorded.accepted,
                rejected: recorded.rejected)
        }
        return Figure(name, "\(kind), \(sizeText) per request", count: recorded.accepted, run)
    }

    private func measureRepetition(_ bodies: [PostedBody]) async throws -> Figure {
        let name = "http_bulk_repeated"
        let (run, recorded) = try await post(bodies, .whenResponded, name)
        guard recorded.accepted == 0, recorded.rejected == 0 else {
            throw BenchProblem.eventsLost(
                figure: name, expected: 0, accepted: recorded.accepted, rejected: recorded.rejected)
        }
        return Figure(name, "both again (duplicates)", count: bodies.eventCount, run)
    }

    /// - Returns: the figure, and how many events were certainly recorded, counted from the first.
    private func measureSingle(
        _ name: String, _ kind: String, _ events: [String]
    ) async throws -> (figure: Figure, posted: Int) {
        let (run, recorded) = try await post(events.map(PostedBody.init(single:)), .whenSent, name)
        let requests = run.outcome.requests
        // Requests without a response at the end may have been recorded.
        guard recorded.accepted >= requests, recorded.rejected == 0 else {
            throw BenchProblem.eventsLost(
                figure: name, expected: requests, accepted: recorded.accepted, rejected: recorded.rejected)
        }
        let figure = Figure(name, "\(kind), one per request", count: requests, run)
        return (figure, max(0, requests - settings.singleConnections))
    }

    private func post(
        _ bodies: [PostedBody], _ end: Wrk.End, _ name: String
    ) async throws -> (Run, RecordedEvents) {
        let isBulk = end == .whenResponded
        let load = Wrk.Load(
            requests: try RequestFile(bodies, key: database.key, at: requestsURL),
            connections: isBulk ? settings.bulkConnections : settings.singleConnections,
            seconds: isBulk ? Self.bulkSeconds : settings.singleSeconds, end: end)
        try connection.execute(script: .Bench.checkpoint)
        // Otherwise, data that is not on disk yet, mainly the requests, would be written during the first commits.
        sync()
        let before = try RecordedEvents(on: connection)
        let run = try await run(load, name)
        // wrk does not report a connection that the server closed.
        guard !isBulk || run.outcome.requests == bodies.count else {
            throw BenchProblem.requestsLost(
                figure: name, rejected: 0, broken: bodies.count - run.outcome.requests)
        }
        return (run, try RecordedEvents(on: connection) - before)
    }

    private func run(_ load: Wrk.Load, _ figure: String) async throws -> Run {
        note("measuring \(figure)")
        server.resetPeakMemory()
        let outcome = try await wrk.run(load, against: server.address)
        guard outcome.rejected == 0, outcome.broken == 0 else {
            throw BenchProblem.requestsLost(
                figure: figure, rejected: outcome.rejected, broken: outcome.broken)
        }
        return Run(outcome: outcome, serverPeakMemory: server.peakMemory)
    }

    private var requestsURL: URL { folder.appendingPathComponent("requests") }
    private var sizeText: String { grouped(settings.eventsPerBulkRequest) }
}

extension Figure {
    fileprivate init(
        _ name: String, _ what: String, _ unit: Unit = .events, count: Int, _ run: ServerMeasurement.Run
    ) {
        self.init(name, what, unit, count: count, seconds: run.outcome.seconds)
        p50Milliseconds = Double(run.outcome.p50) / 1_000
        p99Milliseconds = Double(run.outcome.p99) / 1_000
        serverPeakMemory = run.serverPeakMemory
    }
}
