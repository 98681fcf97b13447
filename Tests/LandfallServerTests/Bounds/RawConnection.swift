import Access
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix

/// A TCP connection that sends any bytes, HTTP or not.
final class RawConnection {
    typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>

    private let channel: any Channel
    private var inbound: Inbound.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received: [UInt8] = []

    private init(
        _ channel: any Channel, _ inbound: Inbound, _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.channel = channel
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// A response of the server.
    struct Response: Sendable {
        let status: Int
        /// The status line and the header fields, as received.
        let lines: [String]
        /// Header fields by name in lower case.
        let headers: [String: String]
        let body: String
    }

    struct ConnectionEnded: Error {}

    static func open<Value: Sendable>(
        _ server: TestServer, _ body: (RawConnection) async throws -> Value
    ) async throws -> Value {
        try await open(port: server.port, body)
    }

    /// - Parameter address: the client's, one of 127.0.0.0/8.
    static func open<Value: Sendable>(
        port: Int, from address: String = "127.0.0.1", _ body: (RawConnection) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: SocketAddress(ipAddress: address, port: 0))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawConnection(channel.channel, inbound, outbound))
        }
    }

    func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Ends the sending direction.
    func finish() {
        outbound.finish()
    }

    /// Sends the same bytes again and again, and returns whether the server stops reading before it has got
    /// `limit` bytes.
    ///
    /// Each write waits until the kernel has accepted the bytes: `outbound` buffers them as long as its event
    /// loop is busy, and that may be all of them.
    func isRejected(sending bytes: [UInt8], within limit: Int) async -> Bool {
        for _ in 0..<limit / bytes.count {
            do {
                try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
            } catch {
                return true
            }
        }
        return false
    }

    /// Returns the next response, including a `100 Continue`.
    ///
    /// - Parameter hasBody: `false` for responses to HEAD, which only state the length of the body.
    func response(hasBody: Bool = true) async throws -> Response {
        while true {
            if let response = takeResponse(hasBody: hasBody) { return response }
            guard let part = try await inbound.next() else { throw ConnectionEnded() }
            received.append(contentsOf: part.readableBytesView)
        }
    }

    /// Waits until the server has ended the connection, and drops everything received until then.
    func waitForEnd() async {
        while let _ = try? await inbound.next() {}
    }

    private func takeResponse(hasBody: Bool) -> Response? {
        let text = String(decoding: received, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts[1].drop { $0 == " " })
        }
        let headers = Dictionary(fields.map { ($0.0, String($0.1)) }) { first, _ in first }
        let length = hasBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        let rest = text[end.upperBound...].utf8
        guard rest.count >= length else { return nil }
        received = Array(rest.dropFirst(length))
        let status = lines[0].split(separator: " ")[1]
        return Response(
            status: Int(status) ?? 0, lines: lines.map(String.init), headers: headers,
            body: String(decoding: rest.prefix(length), as: UTF8.self))
    }
}

extension RawConnection.Response {
    /// Whether it is a problem document with this code.
    func isProblem(_ code: String) -> Bool {
        headers["content-type"] == "application/problem+json" && body.contains("\"code\":\"\(code)\"")
    }
}

extension TestServer {
    /// The first lines of a request with a key, without the empty line that ends them.
    func head(_ request: String, as kind: APIKey.Kind = .server, _ headers: String...) -> String {
        let lines = ["\(request) HTTP/1.1", "Host: landfall", "Authorization: Bearer \(keys[kind] ?? "")"]
        return (lines + headers).map { $0 + "\r\n" }.joined()
    }
}
