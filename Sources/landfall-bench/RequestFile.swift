internal import Foundation

/// Ready-made HTTP requests in a file, as `drive.lua` reads them: each behind a line with its length.
struct RequestFile: Sendable {
    let url: URL

    /// Writes one `POST /v1/events` per body.
    init(_ bodies: [PostedBody], key: String, at url: URL) throws {
        self.url = url
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bodies.reduce(0) { $0 + $1.bytes.count + 240 })
        for body in bodies { Self.append(Self.head(of: body, key: key), body.bytes, to: &bytes) }
        try Data(bytes).write(to: url)
    }

    /// Writes the request that asks nothing of the server.
    init(noOpAt url: URL) throws {
        self.url = url
        var bytes: [UInt8] = []
        Self.append("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", [], to: &bytes)
        try Data(bytes).write(to: url)
    }

    private static func head(of body: PostedBody, key: String) -> String {
        "POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(key)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.bytes.count)\r\n\r\n"
    }

    private static func append(_ head: String, _ body: [UInt8], to bytes: inout [UInt8]) {
        bytes += "\(head.utf8.count + body.count)\n".utf8
        bytes += head.utf8
        bytes += body
    }
}
