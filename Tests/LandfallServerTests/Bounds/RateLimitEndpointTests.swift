import Access
import DeliveryModel
import Hummingbird
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct RateLimitEndpointTests {
    /// A limit that refills nothing while the test runs.
    private let two = RateLimit(perSecond: 0.001, burst: 2)

    private func post(_ server: TestServer, _ connection: RawConnection, as kind: APIKey.Kind) async throws
        -> RawConnection.Response
    {
        try await connection.send(server.head("POST /v1/events", as: kind, "Content-Length: 2") + "\r\n[]")
        return try await connection.response()
    }

    @Test("a device key is told what is left, then rejected with the time to wait; other keys go on")
    func deviceKey() async throws {
        let limit = two
        try await TestServer.run(configure: { $0.limits.deviceEvents = limit }) { server async throws in
            try await RawConnection.open(server) { connection in
                for remaining in [1, 0] {
                    let response = try await post(server, connection, as: .device)
                    #expect(response.status == 200)
                    #expect(response.headers["ratelimit-policy"] == #""device-key";q=2;w=2000"#)
                    #expect(
                        response.headers["ratelimit"]?.hasPrefix(#""device-key";r=\#(remaining);t="#) == true)
                }
                let rejected = try await post(server, connection, as: .device)
                #expect(rejected.status == 429)
                #expect(rejected.isProblem("rate_limited"))
                #expect(rejected.headers["ratelimit"]?.hasPrefix(#""device-key";r=0;t="#) == true)
                let pause = try #require(rejected.headers["retry-after"].flatMap { Int($0) })
                #expect((1...1_000).contains(pause))

                let other = try await post(server, connection, as: .server)
                #expect(other.status == 200)
                #expect(other.headers["ratelimit"] == nil)
            }
        }
    }

    @Test("requests rejected for another reason count too, and their responses say what is left")
    func problemsCount() async throws {
        let limit = two
        try await TestServer.run(configure: { $0.limits.deviceEvents = limit }) { server async throws in
            try await RawConnection.open(server) { connection in
                for status in [422, 422, 429] {
                    try await connection.send(
                        server.head("PUT /v1/devices/12", as: .device, "Content-Length: 2") + "\r\n{}")
                    let response = try await connection.response()
                    #expect(response.status == status)
                    #expect(response.headers["ratelimit"] != nil)
                }
            }
        }
    }

    @Test("a server key is limited if the setting says so")
    func serverKey() async throws {
        let limit = two
        try await TestServer.run(configure: { $0.limits.serverRequests = limit }) { server async throws in
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await server.post("[]").status) }
            #expect(statuses == [200, 200, 429])
        }
    }

    @Test("a client that guesses keys is stopped; other keys at its address still pass, used before or not")
    func guessedKeys() async throws {
        let limit = two
        try await TestServer.run(configure: { $0.limits.failedAuthentications = limit }) {
            server async throws in
            #expect(try await server.post("[]").status == 200)
            let guesses = ["lf_server_a", "lf_server_a", "lf_server_b", "nonsense"]
            var statuses: [Int] = []
            for guess in guesses {
                statuses.append(try await guessed(guess, at: server))
            }
            #expect(statuses == [401, 401, 429, 429])
            #expect(try await server.post("[]").status == 200)
            let newKey = try await TestDatabase.current.pool.withConnection { [app = server.app] connection in
                try AppDirectory(connection).createKey(kind: .server, for: app, at: .now).text
            }
            #expect(try await guessed(newKey, at: server) == 200)
            #expect(try await guessed("lf_server_c", at: server) == 429)
        }
    }

    private func guessed(_ key: String, at server: TestServer) async throws -> Int {
        try await server.send(
            .post, "/v1/events", Array("[]".utf8), as: nil, headers: [.authorization: "Bearer \(key)"]
        ).status
    }

    @Test("callers are told apart if there is a trusted proxy, and only then")
    func proxies() async throws {
        let limit = two
        for (trusted, expected) in [(["127.0.0.0/8"], [200, 200, 200]), ([], [200, 200, 429])] {
            try await TestServer.run(
                app: "shop\(trusted.count)",
                configure: {
                    $0.limits.deviceEvents = limit
                    $0.limits.trustedProxies = trusted.compactMap { AddressRange($0) }
                }
            ) { server async throws in
                try await RawConnection.open(server) { connection in
                    var statuses: [Int] = []
                    for number in 1...3 {
                        try await connection.send(
                            server.head(
                                "POST /v1/events", as: .device, "Content-Length: 2",
                                "X-Forwarded-For: 192.0.2.\(number)") + "\r\n[]")
                        statuses.append(try await connection.response().status)
                    }
                    #expect(statuses == expected)
                }
            }
        }
    }
}
