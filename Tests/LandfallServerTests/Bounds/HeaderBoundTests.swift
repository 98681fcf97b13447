import LandfallServer
import TestDatabase
import Testing

@Suite(.database) struct HeaderBoundTests {
    @Test(
        "header fields that are too long or too many are a 431, anything but HTTP a 400, as problem documents",
        arguments: [
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nLong: \(String(repeating: "x", count: 17_000))", 431),
            ("GET /\(String(repeating: "x", count: 17_000))", 431),
            ("GET /healthz HTTP/1.1\r\n" + String(repeating: "Many: x\r\n", count: 101), 431),
            ("hello\r\n\r\n", 400),
            ("GET /healthz HTTP/1.1\r\nno field\r\n\r\n", 400),
            ("GET /healthz HTTP/3.0\r\n\r\n", 400),
            ("GET healthz HTTP/1.1\r\n\r\n", 400),
            ("POST /v1/events HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST /v1/events HTTP/1.1\r\nContent-Length: two\r\n\r\n", 400),
        ])
    func rejected(text: String, status: Int) async throws {
        try await TestServer.run { server async throws in
            try await RawConnection.open(server) { connection in
                try await connection.send(text)
                let response = try await connection.response()
                #expect(response.status == status)
                #expect(response.isProblem(status == 431 ? "headers_too_large" : "invalid_request"))
                await connection.waitForEnd()
            }
        }
    }

    @Test("bytes after a request that are not HTTP are rejected after that request's response")
    func garbageBehindRequest() async throws {
        try await TestServer.run { server async throws in
            try await RawConnection.open(server) { connection in
                try await connection.send(
                    server.head("POST /v1/events", "Content-Length: 2") + "\r\n[]garbage garbage\r\n\r\n")
                #expect(try await connection.response().status == 200)
                #expect(try await connection.response().isProblem("invalid_request"))
                await connection.waitForEnd()
            }
        }
    }

    @Test("a known path with another method is a 405 that lists the allowed ones; HEAD is routed like GET")
    func methods() async throws {
        try await TestServer.run { server async throws in
            try await RawConnection.open(server) { connection in
                for (request, allowed) in [
                    ("POST /healthz", "GET, HEAD"), ("GET /v1/events", "OPTIONS, POST"),
                    ("HEAD /v1/events", "OPTIONS, POST"), ("PATCH /v1/devices/12", "DELETE, OPTIONS, PUT"),
                ] {
                    try await connection.send(server.head(request) + "\r\n")
                    let response = try await connection.response(hasBody: !request.hasPrefix("HEAD"))
                    #expect(response.status == 405)
                    #expect(response.headers["allow"] == allowed)
                }
                for (path, status) in [("/healthz", 200), ("/nothing", 404)] {
                    try await connection.send(server.head("HEAD \(path)") + "\r\n")
                    #expect(try await connection.response(hasBody: false).status == status)
                }
                try await connection.send(server.head("GET /healthz") + "\r\n")
                #expect(try await connection.response().body == #"{"status":"alive"}"#)
            }
        }
    }
}
