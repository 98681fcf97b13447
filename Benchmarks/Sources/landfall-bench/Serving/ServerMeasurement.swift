/// Measures the server over HTTP.
struct ServerMeasurement {
    let settings: BenchSettings
    let server: BenchServer

    /// The time limit of a bulk run, in seconds. No run takes this long: the limit only prevents a hanging
    /// server from blocking the benchmark indefinitely.
    private static let bulkSeconds = 120

    /// Measures bulk posts. Call it before single posts: the writer and the bare statements do not have their
    /// rows either.
    func measure(_ bulk: BulkRound) async throws -> [Figure] {
        let size = "\(grouped(settings.eventsPerBulkRequest)) per request"
        return [
            try await measureBulk("http_bulk_responses", "responses, \(size)", bulk.compared.responses),
            try await measureBulk("http_bulk_arrivals", "arrivals, \(size)", bulk.compared.arrivals),
            try await measureBulk(
                "http_bulk_repeated", "both again (duplicates)", bulk.compared.repeated, changing: 0),
            try await measureBulk("http_bulk_all_accepted", "responses, all 200, \(size)", bulk.accepted),
            try await measureBulk("http_bulk_all_dead", "responses, all 410, \(size)", bulk.dead),
        ]
    }

    /// - Parameter changing: the number of events that change something; if `nil`, all of them.
    private func measureBulk(
        _ name: String, _ what: String, _ bodies: [PostedBody], changing: Int? = nil
    ) async throws -> Figure {
        let load = Wrk.Load(
            requests: try server.file(bodies), connections: settings.bulkConnections,
            seconds: Self.bulkSeconds, end: .whenResponded)
        let run = try await server.measure(load, name)
        try run.expect(requests: bodies.count)
        let count = changing ?? bodies.eventCount
        try run.expect(count...count)
        return Figure(run, what, count: bodies.eventCount)
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
            requests: try RequestFile(noOpAt: server.requestsURL), connections: settings.singleConnections,
            seconds: settings.noOpSeconds, end: .atTimeLimit)
        let run = try await server.measure(load, "http_no_op")
        return Figure(run, "GET /healthz (no-op)", .requests, count: run.outcome.requests)
    }

    private func measureSingle(_ name: String, _ kind: String, _ events: [String]) async throws -> Figure {
        let load = Wrk.Load(
            requests: try server.file(events.map(PostedBody.init(single:))),
            connections: settings.singleConnections, seconds: settings.singleSeconds, end: .whenSent)
        let run = try await server.measure(load, name)
        let count = run.outcome.requests
        // Requests without a response at the end may have been recorded.
        try run.expect(count...count + load.connections)
        return Figure(run, "\(kind), one per request", count: count)
    }

    /// Measures requests of 100 responses: from connections that wait for each response, then from far more
    /// of them.
    func measureOverload(_ bodies: [PostedBody]) async throws -> [Figure] {
        let (requests, seconds) = (try server.file(bodies), settings.overloadSeconds)
        let capacity = Wrk.Load(
            requests: requests, connections: settings.singleConnections, seconds: seconds, end: .atTimeLimit)
        let overload = Wrk.Load(
            requests: requests, connections: settings.overloadConnections, seconds: seconds,
            end: .atTimeLimit, pauseMilliseconds: settings.overloadPauseMilliseconds)
        let what = "responses, \(settings.eventsPerOverloadRequest) per request"
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
        let run = try await server.measure(load, name, mayReject: mayReject)
        let (outcome, size) = (run.outcome, settings.eventsPerOverloadRequest)
        let count = (outcome.requests - outcome.rejected) * size
        try run.expect(count...count + (load.connections + outcome.broken) * size)
        var figure = Figure(run, what, count: count)
        if mayReject {
            figure.requests = Figure.Requests(
                all: outcome.requests, rejected: outcome.rejected, broken: outcome.broken)
        }
        return figure
    }
}
