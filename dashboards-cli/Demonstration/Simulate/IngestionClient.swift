internal import Foundation
internal import Simulation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Posts to a Landfall server as a well-behaved client does: repeats a request that was not accepted, unchanged, and stops if it
/// was rejected.
struct IngestionClient: Sendable {
    private let session: URLSession
    private let server: String
    private let key: String
    private let patience: Duration

    /// The number of concurrent requests.
    static let concurrency = 16

    /// Opens a client for the duration of the body.
    ///
    /// - Parameters:
    ///   - server: `http://host:port`.
    ///   - key: a server key.
    ///   - patience: how long a request that is not accepted is repeated.
    static func with<Value>(
        server: String, key: String, patience: Duration, _ body: (IngestionClient) async throws -> Value
    ) async throws -> Value {
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.timeoutIntervalForRequest = 60
        configuration.timeoutIntervalForResource = 120
        exemptThisMachineFromProxies()
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        return try await body(IngestionClient(session: session, server: base, key: key, patience: patience))
    }

    /// Registers a device's tokens.
    func register(_ registration: SimulatedRegistration) async throws {
        let path = "/v1/devices/\(registration.deviceID.uuidString.lowercased())"
        _ = try await send(
            request("PUT", path, "application/json", registration.body), "PUT /v1/devices/…")
    }

    /// Posts events and returns the verdicts on them.
    func post(_ post: EventPost) async throws -> ReceivedCounts {
        let name = "POST /v1/events"
        let sent = try await send(request("POST", "/v1/events", post.form.contentType, post.body), name)
        guard var counts = try? ReceivedCounts(response: sent.body) else {
            throw SimulationProblem.unreadableResponse(request: name)
        }
        counts.throttled = sent.throttled
        return counts
    }

    private func request(
        _ method: String, _ path: String, _ contentType: String, _ body: [UInt8]
    ) -> URLRequest {
        guard let url = URL(string: server + path) else {
            preconditionFailure("the address of the server was checked before")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body)
        return request
    }

    /// Returns the body of the response, and how often the server responded with 429 before.
    private func send(
        _ request: URLRequest, _ name: String
    ) async throws -> (body: [UInt8], throttled: Int64) {
        var repetition = Repetition(patience: patience, now: .now)
        var throttled: Int64 = 0
        while true {
            switch try await response(to: request) {
            case .taken(let body): return (body, throttled)
            case .rejected(let problem): throw SimulationProblem.rejected(request: name, problem)
            case .putOff(let status, let reason, let retryAfter):
                if status == 429 { throttled += 1 }
                let pause = repetition.pause(retryAfter: retryAfter, now: .now, chance: .random(in: 0...1))
                guard let pause else {
                    throw SimulationProblem.gaveUp(
                        request: name, seconds: Int(patience.components.seconds), reason: reason)
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// Sends the request. If the connection is refused or breaks, the server may have
    /// accepted the request, and repeating it is safe.
    private func response(to request: URLRequest) async throws -> ServerResponse {
        do {
            let (body, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else {
                return .putOff(status: nil, reason: "no HTTP response", retryAfter: nil)
            }
            return ServerResponse(
                status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                body: Array(body))
        } catch {
            try Task.checkCancellation()
            return .putOff(status: nil, reason: error.localizedDescription, retryAfter: nil)
        }
    }
}
