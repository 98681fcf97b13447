internal import Basics
internal import DeliveryModel
internal import Hummingbird
internal import NIOCore
internal import PostgresClient
internal import Synchronization

/// Whether requests can be served: the database is reachable, migrated and writable. Asks PostgreSQL at most
/// once a second, however many callers there are, and writes nothing while recent writes succeeded.
actor Readiness {
    private let pool: PostgresPool
    private let health: WriteHealth
    private var known: (at: ContinuousClock.Instant, problem: Problem?)?
    private var isAsking = false

    init(pool: PostgresPool, health: WriteHealth) {
        self.pool = pool
        self.health = health
    }

    /// Returns `nil` if the server is ready.
    func problem() async -> Problem? {
        if let known {
            // One caller asks; meanwhile the others get the last result, if it is recent.
            let age = known.at.duration(to: .now)
            if age < (isAsking ? .seconds(3) : .seconds(1)) { return known.problem }
        }
        isAsking = true
        defer { isAsking = false }
        let problem = await ask()
        known = (.now, problem)
        return problem
    }

    private func ask() async -> Problem? {
        if let reason = health.restart {
            return .unavailable("database_restarting", "the private PostgreSQL is being restarted: \(reason)")
        }
        let isInDoubt = health.trouble != nil
        do {
            let (pending, trouble) = try await pool.withConnection { connection in
                let pending = try Migrator().pending(connection).count
                let announced = try WritingTrouble.announced(on: connection)
                return (pending, try announced ?? (isInDoubt ? WritingTrouble.tried(on: connection) : nil))
            }
            if let trouble { return .notWritable(trouble) }
            if isInDoubt { health.wrote() }
            guard pending > 0 else { return nil }
            return .unavailable(
                "not_migrated", "the database lacks \(pending) migrations: run landfall migrate")
        } catch {
            // On a full disk, PostgreSQL may also reject new connections, for each of which it writes a file.
            return health.trouble.map(Problem.notWritable) ?? Problem(error)
        }
    }
}

extension Problem {
    fileprivate static func notWritable(_ trouble: WritingTrouble) -> Problem {
        .unavailable("not_writable", "\(trouble.sentence). \(trouble.remedy)")
    }
}

/// The trouble of recent writes. Costs nothing while they succeed.
final class WriteHealth: Sendable {
    private let state = Mutex<(trouble: WritingTrouble?, restart: String?)>((nil, nil))

    /// Notes an error that means that other writes may fail, too.
    func met(_ error: PostgresError) {
        guard let trouble = WritingTrouble(error) else { return }
        state.withLock { $0.trouble = trouble }
    }

    func wrote() { state.withLock { $0.trouble = nil } }

    /// The latest trouble of a write; `nil` once a later write has succeeded.
    var trouble: WritingTrouble? { state.withLock { $0.trouble } }

    /// The reason the private cluster is being restarted; `nil` if it is not.
    var restart: String? {
        get { state.withLock { $0.restart } }
        set { state.withLock { $0.restart = newValue } }
    }
}

/// `GET /healthz`: the process is alive. `GET /readyz`: the database is reachable, migrated and writable. If
/// there are several cells, one suffices: if each counted, a load balancer would take out every server.
struct HealthController {
    let cells: Cells

    /// Created once: this response shows the least that any request costs.
    private static let alive = Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"status":"alive"}"#)))

    func addRoutes(to router: RouterGroup<LandfallRequestContext>) {
        router.get("healthz") { _, _ in Self.alive }
        router.get("readyz") { request, _ -> Response in
            if let cell = try QueryParameters(query: request.uri.query).one("cell") {
                return try await Self.ready(cells[number(cell)])
            }
            return try await cells.others.isEmpty ? Self.ready(cells.front) : readyCells()
        }
    }

    private static func ready(_ cell: Cell) async throws -> Response {
        if let problem = await cell.readiness.problem() { throw problem }
        return .json(["status": "ready"])
    }

    /// - Throws: 404 unless it is the number of a cell of this server.
    private func number(_ text: String) throws(Problem) -> CellNumber {
        guard let number = cells.numbers.first(where: { "\($0)" == text }) else {
            let numbers = cells.numbers.map { "\($0)" }.joined(separator: ", ")
            throw .notFound("there is no cell \(text): use one of \(numbers)")
        }
        return number
    }

    /// - Throws: 503 with the problem of the front cell if no cell is ready.
    private func readyCells() async throws -> Response {
        let unavailable = Problem.databaseUnavailable.code
        // Probes of Kubernetes wait for a second.
        let problems = try await cells.each(within: .milliseconds(300)) { cell in
            await cell.readiness.problem().map { [$0] } ?? []
        }
        guard problems.values.contains(where: \.isEmpty) else {
            throw problems[.front]?.first ?? .databaseUnavailable
        }
        let members: [JSONValue] = cells.numbers.map { number in
            let code = problems[number].map { $0.first?.code ?? "ready" } ?? unavailable
            return ["cell": .integer(Int64(number.number)), "status": .string(code)]
        }
        return .json(["status": "ready", "cells": .array(members)])
    }
}
