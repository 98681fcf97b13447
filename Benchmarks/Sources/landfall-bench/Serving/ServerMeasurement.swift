internal import ChildPrograms
internal import Foundation
internal import PostgresClient
internal import SQLFiles

/// Measures the server over HTTP.
struct ServerMeasurement {
    /// One run of wrk.
    fileprivate struct Run {
        let outcome: Wrk.Outcome
        let recorded: RecordedEvents
        let cost: Cost
        let serverPeakMemory: Int?

        /// Throws unless this many events were recorded, and none was rejected: an event that changes nothing costs less than
        /// one that does.
        func expect(_ accepted: ClosedRange<Int>, _ figure: String) throws {
            guard accepted.contains(recorded.accepted), recorded.rejected == 0 else {
                throw BenchProblem.eventsLost(
                    figure: figure, expected: accepted.lowerBound, accepted: recorded.accepted,
                    rejected: recorded.rejected)
            }
        }
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
        let size = "\(grouped(settings.eventsPerBulkRequest)) per request"
        return [
            try await measureBulk("http_bulk_responses", "responses, \(size)", bulk.compared.responses),
            try await measureBulk("http_bulk_arrivals", "arrivals, \(size)", bulk.compared.arrivals),
            try await measureBulk(
                "http_bulk_repeated", "both again (duplicates)", bulk.compared.repeated, changing: 0),
            try await measureBulk(
                "http_bulk_all_accepted", "responses, all 200, \(size)", bulk.accepted),
            try await measureBulk("http_bulk_all_dead", "responses, all 410, \(size)", bulk.dead),
        ]
    }

    /// - Parameter changing: the number of events that change something; if `nil`, all of them.
    private func measureBulk(
        _ name: String, _ what: String, _ bodies: [PostedBody], changing: Int? = nil
    ) async throws -> Figure {
        let run = try await run(
            Wrk.Load(
                requests: try file(bodies), connections: settings.bulkConnections, seconds: Self.bulkSeconds,
                end: .whenResponded), name)
        // wrk does not report a connection that the server closed.
        guard run.outcome.requests == bodies.count else {
            throw BenchProblem.requestsLost(
                figure: name, rejected: 0, broken: bodies.count - run.outcome.requests)
        }
        let count = changing ?? bodies.eventCount
        try run.expect(count...count, name)
        return Figure(name, what, count: bodies.eventCount, run)
    }

    func measure(_ singles: [BenchNotification]) async throws -> [Figure] {
        let noOp = try await measureNoOp()
        let responses = try await measureSingle("http_single_responses", "responses", singles.map(\.response))
        // Those without a response at the end may not have been recorded.
        let recorded = max(0, responses.count - settings.singleConnections)
        let arrivals = singles.prefix(recorded).filter(\.isAccepted).map(\.arrival)
        return [noOp, responses, try await measureSingle("http_single_arrivals", "arrivals", arrivals)]
    }

    private func measureNoOp() async throws -> Figure {
        let load = Wrk.Load(
            requests: try RequestFile(noOpAt: requestsURL), connections: settings.singleConnections,
            seconds: settings.noOpSeconds, end: .atTimeLimit)
        let run = try await run(load, "http_no_op")
        return Figure("http_no_op", "GET /healthz (no-op)", .requests, count: run.outcome.requests, run)
    }

    private func measureSingle(_ name: String, _ kind: String, _ events: [String]) async throws -> Figure {
        let connections = settings.singleConnections
        let run = try await run(
            Wrk.Load(
                requests: try file(events.map(PostedBody.init(single:))), connections: connections,
                seconds: settings.singleSeconds, end: .whenSent), name)
        let count = run.outcome.requests
        try run.expect(count...count + connections, name)
        return Figure(name, "\(kind), one per request", count: count, run)
    }

    /// Measures requests of 100 responses: from connections that wait for each response, then from far more of them.
    func measureOverload(_ bodies: [PostedBody]) async throws -> [Figure] {
        let what = "responses, \(settings.eventsPerOverloadRequest) per request"
        let (requests, seconds) = (try file(bodies), settings.overloadSeconds)
        let capacity = Wrk.Load(
            requests: requests, connections: settings.singleConnections, seconds: seconds, end: .atTimeLimit)
        let overload = Wrk.Load(
            requests: requests, connections: settings.overloadConnections, seconds: seconds,
            end: .atTimeLimit, pauseMilliseconds: settings.overloadPauseMilliseconds)
        let figures = [
            try await measure(capacity, "http_capacity", what, mayReject: false),
            try await measure(overload, "http_overload", "\(what), overload", mayReject: true),
        ]
        // The server is still recording what it accepted.
        try await Task.sleep(for: .seconds(2))
        return figures
    }

    /// What the server rejects does not count.
    private func measure(
        _ load: Wrk.Load, _ name: String, _ what: String, mayReject: Bool
    ) async throws -> Figure {
        let run = try await run(load, name, mayReject: mayReject)
        let (outcome, size) = (run.outcome, settings.eventsPerOverloadRequest)
        let count = (outcome.requests - outcome.rejected) * size
        try run.expect(count...count + (load.connections + outcome.broken) * size, name)
        var figure = Figure(name, what, count: count, run)
        if mayReject {
            figure.requests = Figure.Requests(
                all: outcome.requests, rejected: outcome.rejected, broken: outcome.broken)
        }
        return figure
    }

    // MARK: - Steps

    private func run(_ load: Wrk.Load, _ figure: String, mayReject: Bool = false) async throws -> Run {
        try connection.execute(script: .Bench.checkpoint)
        // Otherwise, data that is not on disk yet, mainly the requests, would be written during the first commits.
        sync()
        note("measuring \(figure)")
        server.resetPeakMemory()
        let (before, costBefore) = (
            try RecordedEvents(on: connection), try Cost(of: server, on: connection)
        )
        let outcome = try await wrk.run(load, against: server.address)
        let cost = try Cost(of: server, on: connection) - costBefore
        guard mayReject || (outcome.rejected == 0 && outcome.broken == 0) else {
            throw BenchProblem.requestsLost(
                figure: figure, rejected: outcome.rejected, broken: outcome.broken)
        }
        return Run(
            outcome: outcome, recorded: try RecordedEvents(on: connection) - before, cost: cost,
            serverPeakMemory: server.peakMemory)
    }

    private var requestsURL: URL { folder.appendingPathComponent("requests") }

    private func file(_ bodies: [PostedBody]) throws -> RequestFile {
        try RequestFile(bodies, key: database.key, at: requestsURL)
    }
}

extension Figure {
    fileprivate init(
        _ name: String, _ what: String, _ unit: Unit = .events, count: Int, _ run: ServerMeasurement.Run
    ) {
        self.init(name, what, unit, count: count, seconds: run.outcome.seconds)
        p50Milliseconds = Double(run.outcome.p50) / 1_000
        p99Milliseconds = Double(run.outcome.p99) / 1_000
        let each = 1 / Double(max(1, count))
        processorMicroseconds = run.cost.processorSeconds.map { $0 * 1_000_000 * each }
        logBytes = Double(run.cost.logBytes) * each
        serverPeakMemory = run.serverPeakMemory
    }
}
