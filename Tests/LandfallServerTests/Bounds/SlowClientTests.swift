import LandfallServer
import NIOCore
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct SlowClientTests {
    /// If a request must come in time, both timeouts are long: on a busy machine a test may pause for
    /// seconds.
    private func run(
        requestTimeout: Duration = .seconds(2), idleTimeout: Duration = .seconds(60),
        databaseTimeout: Duration? = nil,
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(
            configure: {
                $0.limits.requestTimeout = requestTimeout
                $0.limits.idleTimeout = idleTimeout
                guard let databaseTimeout else { return }
                $0.statementTimeout = databaseTimeout
                $0.workTimeout = databaseTimeout
            }, body)
    }

    /// Sends one byte after the other until there is a response.
    private func drip(_ text: String, to connection: RawConnection) async throws -> RawConnection.Response {
        try await connection.send(text)
        let outbound = connection.outbound
        async let _: Void = {
            while !Task.isCancelled, (try? await outbound.write(ByteBuffer(string: "x"))) != nil {
                try? await Task.sleep(for: .milliseconds(20))
            }
        }()
        return try await connection.response()
    }

    @Test("for an endless head, a dripping body and one that stops, the server responds 408")
    func drips() async throws {
        try await run { server async throws in
            let starts = [
                "GET /", "GET /healthz HTTP/1.1\r\nLong: ",
                server.head("POST /v1/events", "Content-Length: 1000") + "\r\n[",
                server.head("POST /v1/events", "Transfer-Encoding: chunked") + "\r\n3e8\r\n[",
            ]
            for start in starts {
                try await RawConnection.open(server) { connection in
                    let response = try await drip(start, to: connection)
                    #expect(response.status == 408)
                    #expect(response.isProblem("request_timeout"))
                    #expect(response.headers["connection"] == "close")
                }
                try await RawConnection.open(server) { connection in
                    try await connection.send(start)
                    #expect(try await connection.response().status == 408)
                    await connection.waitForEnd()
                }
            }
        }
    }

    @Test("the second request of a connection has as much time as the first, and no more")
    func keptAlive() async throws {
        try await run(requestTimeout: .seconds(10)) { server async throws in
            try await RawConnection.open(server) { connection in
                for _ in 0..<3 {
                    try await connection.send(server.head("GET /healthz") + "\r\n")
                    #expect(try await connection.response().status == 200)
                }
                try await connection.send("GET /heal")
                #expect(try await connection.response().status == 408)
            }
        }
    }

    @Test("an idle connection is closed silently")
    func idle() async throws {
        try await run(requestTimeout: .seconds(5), idleTimeout: .seconds(10)) { server async throws in
            try await RawConnection.open(server) { connection in
                await connection.waitForEnd()
            }
            try await RawConnection.open(server) { connection in
                try await connection.send(server.head("GET /healthz") + "\r\n")
                #expect(try await connection.response().status == 200)
                // The first takes the router and makes the key known; the second takes the `EventLane`.
                for _ in 0..<2 {
                    let post = server.head("POST /v1/events", "Content-Length: 2")
                    try await connection.send(post + "\r\n[]")
                    #expect(try await connection.response().status == 200)
                }
                let afterward = try? await connection.response()
                #expect(afterward == nil)
            }
        }
    }

    @Test("a request that came in time waits for a slow database as long as it takes")
    func slowDatabase() async throws {
        // However long the other clients below take on a busy machine, the database's own limits do not
        // expire.
        try await run(
            requestTimeout: .seconds(5), idleTimeout: .seconds(10), databaseTimeout: .seconds(3_600)
        ) { server async throws in
            let blocker = try TestDatabase.current.connect()
            try blocker.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.delivery"))
            try await RawConnection.open(server) { waiting in
                let body = #"{"type":"arrival","notification_id":"\#(notificationID(1))"}"#
                try await waiting.send(
                    server.head("POST /v1/events", "Content-Length: \(body.utf8.count)") + "\r\n" + body)
                // Other clients time out meanwhile.
                try await RawConnection.open(server) { late in
                    try await late.send("GET /heal")
                    #expect(try await late.response().status == 408)
                }
                try await RawConnection.open(server) { idle in await idle.waitForEnd() }
                try blocker.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
                #expect(try await waiting.response().status == 200)
            }
        }
    }

    @Test(
        "a client that does not read the responses to its requests is cut off, on either path",
        .timeLimit(.minutes(40)),
        arguments: [nil, "", "{", "[]"])
    func responsesNotTaken(body: String?) async throws {
        try await run { server async throws in
            // From now on posts with this key take the `EventLane`.
            #expect(try await server.post("[]").status == 200)
            let request =
                body.map { server.head("POST /v1/events", "Content-Length: \($0.utf8.count)") + "\r\n\($0)" }
                ?? "GET /nothing HTTP/1.1\r\n\r\n"
            try await RawConnection.open(server) { connection in
                let requests = String(repeating: request, count: 1_000)
                #expect(
                    await connection.isRejected(sending: Array(requests.utf8), within: 256 * 1_024 * 1_024))
            }
        }
    }
}
