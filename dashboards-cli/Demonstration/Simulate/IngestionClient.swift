internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Simulation

/// Posts to a Landfall server as a well-behaved client does: repeats a request that was not accepted, unchanged, and stops if it
/// was rejected.
struct IngestionClient: Sendable {
    private let http: HTTPClient
    private let server: String
    private let keys: PostingKeys
    private let patience: Duration

    /// The number of concurrent requests.
    static let concurrency = 16
    private static let longestResponse = 16 * 1_024 * 1_024

    /// Opens a client for the duration of the body.
    ///
    /// - Parameters:
    ///   - server: `http://host:port`.
    ///   - patience: how long a request that is not accepted is repeated.
    static func with<Value>(
        server: String, keys: PostingKeys, patience: Duration, _ body: (IngestionClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(60))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = concurrency
        // Requests are repeated here, where repetition is limited and can be reported.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        let client = IngestionClient(http: http, server: base, keys: keys, patience: patience)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(client))
        } catch {
            result = .failure(error)
        }
        try await http.shutdown()
        return try result.get()
    }

    /// Registers a device's tokens.
    func register(_ registration: SimulatedRegistration) async throws {
        let path = "/v1/devices/\(registration.deviceID.uuidString.lowercased())"
        _ = try await send(
            request(.PUT, path, "application/json", registration.body, keys.server), "PUT /v1/devices/…")
    }

    /// Posts events and returns the verdicts on them.
    func post(_ post: EventPost) async throws -> ReceivedCounts {
        let name = "POST /v1/events"
        let key = post.isFromDevice ? keys.device : keys.server
        let sent = try await send(
            request(.POST, "/v1/events", post.form.contentType, post.body, key), name)
        guard var counts = try? ReceivedCounts(response: sent.body) else {
            throw SimulationProblem.unreadableResponse(request: name)
        }
        counts.throttled = sent.throttled
        return counts
    }

    /// Posts an attacker's request, once, whatever the server makes of it.
    func attempt(_ forged: ForgedRequest) async throws -> AttackCounts {
        guard let deviceID = forged.deviceID else {
            let contentType = EventPost.Form.lines.contentType
            let posted = request(.POST, "/v1/events", contentType, forged.body, keys.device)
            return AttackCounts(forged, try await response(to: posted))
        }
        let path = "/v1/devices/\(deviceID.uuidString.lowercased())"
        let put = request(.PUT, path, "application/json", forged.body, keys.device)
        return AttackCounts(forged, try await response(to: put))
    }

    private func request(
        _ method: HTTPMethod, _ path: String, _ contentType: String, _ body: [UInt8], _ key: String
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: server + path)
        request.method = method
        request.headers.add(name: "authorization", value: "Bearer \(key)")
        request.headers.add(name: "content-type", value: contentType)
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }

    /// Returns the body of the response, and how often the server responded with 429 before.
    private func send(
        _ request: HTTPClientRequest, _ name: String
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
    private func response(to request: HTTPClientRequest) async throws -> ServerResponse {
        do {
            let response = try await http.execute(request, timeout: .seconds(120))
            let body = try await response.body.collect(upTo: Self.longestResponse)
            return ServerResponse(
                status: Int(response.status.code), retryAfter: response.headers.first(name: "retry-after"),
                body: Array(body.readableBytesView))
        } catch {
            try Task.checkCancellation()
            return .putOff(status: nil, reason: "\(error)", retryAfter: nil)
        }
    }
}

/// The keys that simulated traffic is posted with.
struct PostingKeys: Sendable {
    let server: String
    /// For what devices post themselves; empty unless the scenario contains that.
    var device = ""
}
