internal import AsyncHTTPClient
internal import Basics
internal import Foundation
internal import Ingestion
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// What is between phones and the server: lost requests, lost responses, overload, silence, a café that wants
/// its guests to sign in.
final class BadNetwork: Sendable {
    enum Fault: CaseIterable {
        case none, cutAfterHead, cutAfterBody, cutWithinResponse, throttled, unavailable, café, silence
    }

    private struct State {
        var random: SeededRandom
        var isGood = false
        var faults: [Fault: Int] = [:]
        var recorded: Set<String> = []
    }

    private let server: String
    private let client: HTTPClient
    private let state: Mutex<State>

    /// - Parameter server: the server's address.
    init(to server: String, seed: UInt64, client: HTTPClient) {
        self.server = server
        self.client = client
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// How often each fault happened.
    var faults: [Fault: Int] { state.withLock { $0.faults } }

    /// The events in requests to which the server responded with 200, whether or not the phone got the
    /// response (see ``name(of:)``).
    var recorded: Set<String> { state.withLock { $0.recorded } }

    /// From now on, everything passes.
    func becomeGood() { state.withLock { $0.isGood = true } }

    /// `arrival 018f…`, `click 018f…`; of a message, with the device.
    static func name(of item: [String: Any]) -> String {
        let type = item["type"] as? String ?? ""
        if let id = item["notification_id"] as? String { return "\(type) \(id)" }
        return "\(type) \(item["message_id"] as? String ?? "") \(item["device_id"] as? String ?? "")"
    }

    /// Accepts connections as long as the body runs, on a port of 127.0.0.1 that the kernel chose.
    func serve<Value: Sendable>(_ body: @Sendable (_ address: String) async throws -> Value) async throws
        -> Value
    {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        let address = "http://127.0.0.1:\(listener.channel.localAddress?.port ?? 0)"
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await listener.executeThenClose { connections in
                    await withDiscardingTaskGroup { requests in
                        do {
                            for try await connection in connections {
                                requests.addTask { try? await self.pass(connection) }
                            }
                        } catch {}
                        requests.cancelAll()
                    }
                }
            }
            let value = try await body(address)
            group.cancelAll()
            return value
        }
    }

    private func pass(_ connection: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>)
        async throws
    {
        try await connection.executeThenClose { inbound, outbound in
            var head: HTTPRequestHead?
            var body = ByteBuffer()
            var fault = Fault.none
            for try await part in inbound {
                switch part {
                case .head(let received):
                    head = received
                    body.clear()
                    fault = nextFault()
                    if fault == .cutAfterHead { return }
                case .body(var bytes): body.writeBuffer(&bytes)
                case .end:
                    guard let head, try await respond(to: head, body, fault, outbound) else { return }
                }
            }
        }
    }

    private func nextFault() -> Fault {
        state.withLock { state in
            let fault =
                state.isGood || state.random.chance(0.5) ? .none : Fault.allCases[1 + state.random.below(7)]
            // Silence costs time: one in four is enough.
            let counted = fault == .silence && state.random.chance(0.75) ? .none : fault
            state.faults[counted, default: 0] += 1
            return counted
        }
    }

    /// - Returns: whether the connection stays open.
    private func respond(
        to head: HTTPRequestHead, _ body: ByteBuffer, _ fault: Fault,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws -> Bool {
        func write(_ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ body: ByteBuffer) async throws {
            var headers = headers
            headers.replaceOrAdd(name: "Content-Length", value: "\(body.readableBytes)")
            try await outbound.write(
                .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
            try await outbound.write(.body(.byteBuffer(body)))
            try await outbound.write(.end(nil))
        }
        switch fault {
        case .throttled:
            try await write(
                .tooManyRequests, ["Retry-After": "1", "Content-Type": "application/problem+json"],
                ByteBuffer(string: #"{"status":429,"code":"rate_limited"}"#))
        case .unavailable:
            try await write(
                .serviceUnavailable, ["Retry-After": "1"], ByteBuffer(string: "upstream connect error"))
        case .café:
            try await write(
                .ok, ["Content-Type": "text/html"],
                ByteBuffer(string: "<html>Welcome. Please sign in.</html>"))
        case .silence:
            try await Task.sleep(for: .seconds(20))
            return false
        case .none, .cutAfterHead, .cutAfterBody, .cutWithinResponse:
            let response = try await forward(head, body)
            if fault == .cutAfterBody { return false }
            if fault == .cutWithinResponse {
                try await outbound.write(
                    .head(HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "90"]))
                )
                try await outbound.write(.body(.byteBuffer(ByteBuffer(string: #"{"accepted":"#))))
                return false
            }
            try await write(response.status, response.headers, response.body)
        }
        return true
    }

    private func forward(_ head: HTTPRequestHead, _ body: ByteBuffer) async throws -> (
        status: HTTPResponseStatus, headers: HTTPHeaders, body: ByteBuffer
    ) {
        var request = HTTPClientRequest(url: server + head.uri)
        request.method = head.method
        for name in ["Authorization", "Content-Type", "Content-Encoding", "Landfall-Credential"] {
            if let value = head.headers.first(name: name) { request.headers.add(name: name, value: value) }
        }
        request.body = .bytes(body)
        // A phone that is killed takes nothing back: the server gets what was sent.
        let response = try await client.execute(request, timeout: .seconds(60))
        let content = try await response.body.collect(upTo: 1 << 20)
        if response.status == .ok, head.method == .POST {
            try note(body, isPacked: request.headers.contains(name: "Content-Encoding"))
        }
        var headers = HTTPHeaders()
        for name in ["Content-Type", "Retry-After"] {
            if let value = response.headers.first(name: name) { headers.add(name: name, value: value) }
        }
        return (response.status, headers, content)
    }

    private func note(_ body: ByteBuffer, isPacked: Bool) throws {
        var bytes = Data(body.readableBytesView)
        if isPacked {
            let gunzip = try Gunzip()
            var plain = Data()
            try bytes.withUnsafeBytes { packed in try gunzip.unpack(packed) { plain.append(contentsOf: $0) } }
            bytes = plain
        }
        let items = try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]] ?? []
        state.withLock { $0.recorded.formUnion(items.map(Self.name)) }
    }
}
