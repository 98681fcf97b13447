import Access
import LandfallServer
import TestDatabase
import Testing

@Suite(.database) struct BodyBoundTests {
    /// More than a system's buffers at both ends of a connection.
    private static let socketBuffers = 256 * 1_024 * 1_024

    private func run(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(configure: { $0.limits.bodyBytes = 64 * 1_024 }, body)
    }

    @Test("for an endless body the server responds 413, and soon reads no more of it")
    func endlessBody() async throws {
        try await run { server async throws in
            try await RawConnection.open(server) { connection in
                try await connection.send(
                    server.head("POST /v1/events", "Transfer-Encoding: chunked") + "\r\n")
                let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + [13, 10]
                // The limit, as much again while the client may read the response, and the sockets' buffers.
                #expect(await connection.isRejected(sending: chunk, within: Self.socketBuffers))
            }
            #expect(try await server.post("[]").status == 200)
        }
    }

    @Test("a client that sends too much can read why")
    func responseArrives() async throws {
        try await run { server async throws in
            try await RawConnection.open(server) { connection in
                try await connection.send(
                    server.head("POST /v1/events", "Transfer-Encoding: chunked")
                        + "\r\n10001\r\n" + String(repeating: " ", count: 65_537) + "\r\n0\r\n\r\n")
                let response = try await connection.response()
                #expect(response.status == 413)
                #expect(response.isProblem("body_too_large"))
                #expect(response.headers["connection"] == "close")
                await connection.waitForEnd()
            }
        }
    }

    @Test(
        "reading past a response already sent is limited too",
        arguments: ["/v1/nothing", "/healthz"])
    func unreadBody(path: String) async throws {
        try await run { server async throws in
            try await RawConnection.open(server) { connection in
                try await connection.send(server.head("POST \(path)", "Transfer-Encoding: chunked") + "\r\n")
                #expect([404, 405].contains(try await connection.response().status))
                let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + [13, 10]
                #expect(await connection.isRejected(sending: chunk, within: Self.socketBuffers))
            }
        }
    }

    @Test("packed bytes that unpack to nothing are limited, and so is a chunk's endless extension")
    func bytesOfTheWire() async throws {
        // A gzip header, and endless stored blocks without content.
        let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let blocks = [[UInt8]](repeating: [0, 0, 0, 0xFF, 0xFF], count: 10_000).flatMap { $0 }
        let chunk = Array("C350\r\n".utf8) + blocks + [13, 10]
        let extensions = [UInt8](repeating: 0x61, count: 50_000)
        let cases = [
            ("Content-Encoding: gzip", Array("A\r\n".utf8) + gzip + [13, 10], chunk),
            ("Content-Type: text/plain", Array("A;a=".utf8), extensions),
        ]
        try await run { server async throws in
            for (header, begin, again) in cases {
                try await RawConnection.open(server) { connection in
                    try await connection.send(
                        server.head("POST /v1/events", "Transfer-Encoding: chunked", header) + "\r\n")
                    try await connection.send(begin)
                    for _ in 0..<5 { try? await connection.send(again) }
                    #expect(try await connection.response().isProblem("body_too_large"))
                }
            }
        }
    }

    @Test("gzip that ends too early or continues past its end is a 400; the next request is read as usual")
    func brokenGzip() async throws {
        let packed = try Gzip.packed(Array("[]".utf8))
        try await run { server async throws in
            for body in [Array(packed.dropLast(4)), packed + packed] {
                try await RawConnection.open(server) { connection in
                    let head = server.head(
                        "POST /v1/events", "Content-Encoding: gzip", "Content-Length: \(body.count)")
                    try await connection.send(Array((head + "\r\n").utf8) + body)
                    let response = try await connection.response()
                    #expect(response.status == 400)
                    #expect(response.isProblem("invalid_encoding"))
                    try await connection.send(server.head("POST /v1/events", "Content-Length: 2") + "\r\n[]")
                    #expect(try await connection.response().status == 200)
                }
            }
        }
    }

    @Test(
        "a body that unpacks to too much is a 413, whatever it contains, and the next request is read as usual"
    )
    func bomb() async throws {
        let packed = try Gzip.packed([UInt8](repeating: 0x20, count: 65_537))
        #expect(packed.count < 1_000)
        try await run { server async throws in
            try await RawConnection.open(server) { connection in
                let head = server.head(
                    "POST /v1/events", "Content-Encoding: gzip", "Content-Length: \(packed.count)")
                try await connection.send(Array((head + "\r\n").utf8) + packed)
                #expect(try await connection.response().isProblem("body_too_large"))
                try await connection.send(server.head("POST /v1/events", "Content-Length: 2") + "\r\n[]")
                #expect(try await connection.response().status == 200)
            }
        }
    }

    @Test(
        "a body in chunks of one byte is read like one that arrives at once, packed or not",
        arguments: [true, false])
    func tinyChunks(isPacked: Bool) async throws {
        let items = "[" + [String](repeating: "{}", count: 2_000).joined(separator: ",") + "]"
        let body = isPacked ? try Gzip.packed(Array(items.utf8)) : Array(items.utf8)
        let chunks = body.flatMap { Array("1\r\n".utf8) + [$0] + [13, 10] } + Array("0\r\n\r\n".utf8)
        try await run { server async throws in
            try await RawConnection.open(server) { connection in
                let encoding = isPacked ? "Content-Encoding: gzip" : "Content-Type: application/json"
                let head = server.head("POST /v1/events", "Transfer-Encoding: chunked", encoding)
                try await connection.send(Array((head + "\r\n").utf8) + chunks)
                let response = try await connection.response()
                #expect(response.status == 200)
                #expect(response.body.contains(#""rejected":2000"#))
            }
        }
    }

    @Test("a client that sends Expect: 100-continue gets 100 only if its body will be accepted")
    func expectContinue() async throws {
        try await run { server async throws in
            try await RawConnection.open(server) { connection in
                let ask = "Expect: 100-continue\r\n\r\n"
                try await connection.send(server.head("POST /v1/events", "Content-Length: 2") + ask)
                #expect(try await connection.response().status == 100)
                try await connection.send("[]")
                #expect(try await connection.response().status == 200)

                try await connection.send(
                    server.head("POST /v1/events", as: .report, "Content-Length: 2") + ask)
                #expect(try await connection.response().status == 403)
            }
            try await RawConnection.open(server) { connection in
                try await connection.send(
                    server.head("POST /v1/events", "Content-Length: 65537") + "Expect: 100-continue\r\n\r\n")
                let response = try await connection.response()
                #expect(response.status == 413)
                await connection.waitForEnd()
            }
            try await RawConnection.open(server) { connection in
                try await connection.send(
                    "POST /v1/events HTTP/1.1\r\nHost: landfall\r\nContent-Length: 2\r\n"
                        + "Expect: 100-continue\r\n\r\n")
                #expect(try await connection.response().status == 401)
            }
        }
    }
}
