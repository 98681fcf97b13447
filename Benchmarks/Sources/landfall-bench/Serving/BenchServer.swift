internal import ChildPrograms
internal import Foundation
internal import PostgresClient

/// A `landfall-server` on a private database, to which wrk sends requests.
struct BenchServer {
    let database: BenchDatabase
    private let server: ServerProgram
    private let wrk: Wrk
    private let connection: PostgresConnection

    private init(_ database: BenchDatabase, _ server: ServerProgram) throws {
        self.database = database
        self.server = server
        wrk = try Wrk(folder: database.folder)
        connection = try database.connection(to: .forServer)
    }

    /// Throws if a program is missing. Call it before a long preparation.
    static func check() throws {
        _ = try ServerProgram.executable()
        _ = try Wrk.executable()
    }

    /// Runs the body with a server, which is then stopped.
    ///
    /// - Parameter variables: further environment variables of the server.
    static func on<Value: Sendable>(
        _ database: BenchDatabase, variables: [String: String] = [:],
        _ body: (BenchServer) async throws -> Value
    ) async throws -> Value {
        let server = try await ServerProgram.start(
            ServerProgram.executable(), dataFolder: database.folder, variables: variables)
        return try await ending({ server.stop() }) { try await body(BenchServer(database, server)) }
    }

    /// The file that receives the requests of the next run.
    var requestsURL: URL { database.folder.appendingPathComponent("requests") }

    func file(_ bodies: [PostedBody]) throws -> RequestFile {
        try RequestFile(bodies, key: database.key, at: requestsURL)
    }

    /// Sends requests and counts what they changed and cost. All must be accepted.
    ///
    /// - Parameter mayReject: true if the server may also reject requests.
    func measure(_ load: Wrk.Load, _ figure: String, mayReject: Bool = false) async throws -> ServerRun {
        try connection.execute(script: .Bench.checkpoint)
        // Otherwise, data that is not on disk yet, mainly the requests, would be written during the first
        // commits.
        sync()
        note("measuring \(figure)")
        server.resetPeakMemory()
        let before = try RecordedEvents(on: connection)
        let costBefore = try Cost(of: server, on: connection)
        let outcome = try await send(load, figure, mayReject: mayReject)
        let cost = try Cost(of: server, on: connection) - costBefore
        return ServerRun(
            figure: figure, outcome: outcome, recorded: try RecordedEvents(on: connection) - before,
            cost: cost,
            serverPeakMemory: server.peakMemory)
    }

    /// Sends requests. All must be accepted.
    func send(_ load: Wrk.Load, _ figure: String, mayReject: Bool = false) async throws -> Wrk.Outcome {
        let outcome = try await wrk.run(load, against: server.address)
        guard mayReject || (outcome.rejected == 0 && outcome.broken == 0) else {
            throw BenchProblem.requestsLost(
                figure: figure, rejected: outcome.rejected, broken: outcome.broken)
        }
        return outcome
    }
}

/// One run of wrk.
struct ServerRun {
    let figure: String
    let outcome: Wrk.Outcome
    let recorded: RecordedEvents
    let cost: Cost
    let serverPeakMemory: Int?

    /// Throws unless all of these requests got a response: wrk does not report a connection that the server
    /// closed.
    func expect(requests: Int) throws {
        guard outcome.requests == requests else {
            throw BenchProblem.requestsLost(figure: figure, rejected: 0, broken: requests - outcome.requests)
        }
    }

    /// Throws unless this many events were recorded, and none was rejected: an event that changes nothing
    /// costs less than one that does.
    func expect(_ accepted: ClosedRange<Int>) throws {
        guard accepted.contains(recorded.accepted), recorded.rejected == 0 else {
            throw BenchProblem.eventsLost(
                figure: figure, expected: accepted.lowerBound, accepted: recorded.accepted,
                rejected: recorded.rejected)
        }
    }
}

extension Figure {
    /// - Parameter count: the events or requests of the run.
    init(_ run: ServerRun, _ what: String, _ unit: Unit = .events, count: Int) {
        self.init(run.figure, what, unit, count: count, seconds: run.outcome.seconds)
        let each = 1 / Double(max(1, count))
        p50Milliseconds = Double(run.outcome.p50) / 1_000
        p99Milliseconds = Double(run.outcome.p99) / 1_000
        processorMicroseconds = run.cost.processorSeconds.map { $0 * 1_000_000 * each }
        logBytes = Double(run.cost.logBytes) * each
        serverPeakMemory = run.serverPeakMemory
    }
}
