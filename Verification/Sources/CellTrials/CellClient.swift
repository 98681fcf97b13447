internal import AsyncHTTPClient
internal import Basics
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

struct CellResponse: Sendable {
    let status: UInt
    let body: Data

    /// The code of a problem.
    var code: String {
        struct Document: Decodable {
            let code: String
        }
        return (try? JSONDecoder().decode(Document.self, from: body).code) ?? "without a code"
    }
}

/// Sends requests to any of the servers.
struct CellClient: Sendable {
    let http: HTTPClient
    /// The servers that run now.
    let addresses: @Sendable () -> [String]
    let timings: Timings

    /// Runs the body with a client.
    static func use<Value>(
        _ addresses: @escaping @Sendable () -> [String], _ timings: Timings,
        _ body: (CellClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        // A killed server does not come back at the same address, so another one must be tried at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        // No request waits for one to the other cell.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(CellClient(http: http, addresses: addresses, timings: timings)))
        } catch {
            result = .failure(error)
        }
        try await http.shutdown()
        return try result.get()
    }

    /// Sends a request once, to a server chosen at random.
    ///
    /// - Parameter cell: the one whose times include this request; `nil` for none.
    /// - Returns: `nil` if there was no response, as from a server that was killed.
    func send(
        _ method: HTTPMethod, _ path: String, _ body: String? = nil, key: String? = nil, cell: Int? = nil,
        _ random: inout SeededRandom
    ) async -> CellResponse? {
        let servers = addresses()
        guard !servers.isEmpty else { return nil }
        return await send(method, servers[random.below(servers.count)], path, body, key: key, cell: cell)
    }

    func send(
        _ method: HTTPMethod, _ server: String, _ path: String, _ body: String? = nil, key: String? = nil,
        cell: Int? = nil
    ) async -> CellResponse? {
        var request = HTTPClientRequest(url: server + path)
        request.method = method
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let mark = timings.mark()
        guard let response = try? await http.execute(request, timeout: .seconds(60)),
            let buffer = try? await response.body.collect(upTo: 1 << 24)
        else { return nil }
        let status = response.status.code
        if let cell { timings.note(mark, cell: cell, isServed: status == 200) }
        return CellResponse(status: status, body: Data(buffer.readableBytesView))
    }

    /// Waits until all servers can record events of a cell.
    func waitUntilReady(cell: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(90)
        while ContinuousClock.now < deadline {
            var isReady = true
            for server in addresses() {
                let response = await send(.GET, server, "/readyz?cell=\(cell)")
                isReady = isReady && response?.status == 200
            }
            if isReady { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw NeverReady(cell: cell)
    }

    struct NeverReady: Error {
        let cell: Int
    }
}
