internal import Basics
internal import DeliveryArchive
internal import Foundation
internal import Simulation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Posts to a Landfall server as a well-behaved client does: repeats a request that was not accepted,
/// unchanged, and stops if it was rejected.
struct IngestionClient: Sendable {
    private let session: URLSession
    private let server: String
    private let key: String
    private let patience: Duration
    private let delayed: @Sendable (_ reason: String) -> Void

    static let concurrency = 16

    /// Opens a client for the duration of the body.
    ///
    /// - Parameters:
    ///   - server: `http://host:port`.
    ///   - key: a server key.
    ///   - patience: how long a request that is not accepted is repeated.
    ///   - delayed: called once for each request that is to be repeated.
    static func with<Value>(
        server: String, key: String, patience: Duration,
        delayed: @escaping @Sendable (_ reason: String) -> Void = { _ in },
        _ body: (IngestionClient) async throws -> Value
    ) async throws -> Value {
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.timeoutIntervalForRequest = 60
        configuration.timeoutIntervalForResource = 120
        exemptThisMachineFromProxies()
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        return try await body(
            IngestionClient(session: session, server: base, key: key, patience: patience, delayed: delayed))
    }

    func register(_ registration: SimulatedRegistration) async throws {
        let path = "/v1/devices/\(registration.deviceID.uuidString.lowercased())"
        _ = try await send(request("PUT", path, "application/json", registration.body), "PUT /v1/devices/…")
    }

    func post(_ post: EventPost) async throws -> ReceivedCounts {
        let name = "POST /v1/events"
        let sent = try await send(request("POST", "/v1/events", post.form.contentType, post.body), name)
        guard var counts = try? ReceivedCounts(response: sent.body) else {
            throw CommandProblem("the response to \(name) is not that of a Landfall server: check --server")
        }
        counts.throttled = sent.throttled
        return counts
    }

    /// The app of the key. The feeds name it.
    func app() async throws -> String {
        let name = "GET /v1/token-changes"
        let sent = try await send(request("GET", "/v1/token-changes?limit=1"), name)
        guard let app = sent.app else {
            throw CommandProblem("the response to \(name) is not that of a Landfall server: check --server")
        }
        return app
    }

    /// Posts items, one per line, compressed.
    ///
    /// - Throws: ``CommandProblem`` if the server rejects the request, or does not accept it in time.
    func post(_ items: [[UInt8]]) async throws -> ItemVerdicts {
        let name = "POST /v1/events"
        let body = try Gzip.packed(Array(items.joined(separator: [UInt8(ascii: "\n")])))
        var request = request("POST", "/v1/events", "application/x-ndjson", body)
        request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        let sent = try await send(request, name)
        guard let verdicts = try? ItemVerdicts(response: sent.body), verdicts.received == items.count else {
            throw CommandProblem("the response to \(name) is not that of a Landfall server: check --server")
        }
        return verdicts
    }

    private func request(
        _ method: String, _ path: String, _ contentType: String? = nil, _ body: [UInt8]? = nil
    ) -> URLRequest {
        guard let url = URL(string: server + path) else {
            preconditionFailure("the address of the server was checked before")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = body.map { Data($0) }
        return request
    }

    /// Returns the body of the response, the app that it names, and how often the server responded with 429
    /// before.
    private func send(
        _ request: URLRequest, _ name: String
    ) async throws -> (body: [UInt8], app: String?, throttled: Int64) {
        var repetition = Repetition(patience: patience, now: .now)
        var throttled: Int64 = 0
        var isDelayed = false
        while true {
            let (response, app) = try await response(to: request)
            switch response {
            case .taken(let body): return (body, app, throttled)
            case .rejected(let problem): throw CommandProblem("the server rejected \(name): \(problem)")
            case .putOff(let status, let reason, let retryAfter):
                if status == 429 { throttled += 1 }
                if !isDelayed { delayed(reason) }
                isDelayed = true
                let pause = repetition.pause(retryAfter: retryAfter, now: .now, chance: .random(in: 0...1))
                guard let pause else {
                    throw CommandProblem(
                        "\(name) was not accepted within \(patience.components.seconds) s: \(reason). Is "
                            + "landfall-server running there? --patience SECONDS waits longer")
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// Sends the request. If the connection is refused or breaks, the server may have
    /// accepted the request, and repeating it is safe.
    private func response(to request: URLRequest) async throws -> (ServerResponse, app: String?) {
        do {
            let (body, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else {
                return (.putOff(status: nil, reason: "no HTTP response", retryAfter: nil), nil)
            }
            let said = ServerResponse(
                status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                body: Array(body))
            return (said, response.value(forHTTPHeaderField: "Landfall-App"))
        } catch {
            try Task.checkCancellation()
            return (.putOff(status: nil, reason: error.localizedDescription, retryAfter: nil), nil)
        }
    }
}

enum ServerResponse: Equatable {
    /// 2xx: the events are on disk.
    case taken([UInt8])
    /// The request was not accepted and may be repeated unchanged. Without a status, there was no response.
    case putOff(status: Int?, reason: String, retryAfter: Duration?)
    /// It would be useless to repeat the request.
    case rejected(ServerProblem)

    /// 408, 429 and every 5xx are temporary. `Retry-After` is read in seconds; a date means the usual pause.
    init(status: Int, retryAfter: String?, body: [UInt8]) {
        switch status {
        case 200..<300: self = .taken(body)
        case 408, 429, 500...:
            let problem = ServerProblem(status: status, body: body)
            let seconds = retryAfter.flatMap { Int($0) }.map { min(max($0, 0), 3_600) }
            self = .putOff(
                status: status, reason: problem.description, retryAfter: seconds.map { .seconds($0) })
        default: self = .rejected(ServerProblem(status: status, body: body))
        }
    }
}

/// The parts of `application/problem+json` (RFC 9457) that a client needs.
struct ServerProblem: Equatable, CustomStringConvertible {
    let status: Int
    /// `nil` if the response is not such a document, so that the address is not a Landfall server's.
    let code: String?
    let detail: String?

    private struct Document: Decodable {
        let code: String?
        let detail: String?
    }

    init(status: Int, body: [UInt8]) {
        let document = try? JSONDecoder().decode(Document.self, from: Data(body))
        self.status = status
        code = document?.code
        detail = document?.detail
    }

    var description: String {
        guard let detail else { return "status \(status)" }
        return "status \(status), \(detail)" + (code.map { " (\($0))" } ?? "")
    }
}

/// The schedule for repeating a request that was not accepted: growing, randomized pauses up to a limit.
struct Repetition {
    private let end: ContinuousClock.Instant
    private var attempts = 0

    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)

    /// - Parameter patience: how long after `now` a request may still be sent.
    init(patience: Duration, now: ContinuousClock.Instant) { end = now + patience }

    /// Returns how long to wait before the next attempt; `nil` if that would exceed the patience.
    ///
    /// Part of every pause is random, so that many clients do not come back at once.
    ///
    /// - Parameters:
    ///   - retryAfter: the pause that the server asked for; no pause is shorter.
    ///   - chance: from 0 to 1.
    mutating func pause(retryAfter: Duration?, now: ContinuousClock.Instant, chance: Double) -> Duration? {
        let ceiling = min(Self.longest, Self.shortest * (1 << min(attempts, 10)))
        attempts += 1
        let pause = (retryAfter ?? ceiling / 2) + ceiling / 2 * chance
        return now + pause <= end ? pause : nil
    }
}
