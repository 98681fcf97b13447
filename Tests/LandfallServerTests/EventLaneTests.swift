import DeliveryModel
import HummingbirdTesting
import NIOHTTP1
import PostgresClient
import TestDatabase
import Testing

@testable import Access
@testable import LandfallServer

/// Small posts of events bypass the router, and no client may notice.
@Suite(.database) struct EventLaneTests {
    private func response(_ number: Int) -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
        "token":"\(tokenValue(number))","topic":"com.example.shop"}
        """
    }

    private func arrival(_ number: Int) -> String {
        #"{"type":"arrival","notification_id":"\#(notificationID(number))"}"#
    }

    private func post(_ body: String, _ server: TestServer, as kind: APIKey.Kind = .server) -> String {
        server.head("POST /v1/events", as: kind, "Content-Length: \(body.utf8.count)") + "\r\n" + body
    }

    /// Makes the keys known: the lane accepts only keys that this server has seen.
    private func introduce(_ server: TestServer) async throws {
        for kind in APIKey.Kind.allCases { _ = try await server.post("[]", as: kind) }
    }

    // MARK: What takes the lane

    private static func keys() throws -> KeyRing {
        let kinds = try APIKey.Kind.allCases.map { kind in
            (try #require(KeyDigest(of: "lf_\(kind.rawValue)_1")), kind)
        }
        // The time stands still, so that a slow machine does not outlive what the ring remembers.
        let now = ContinuousClock.now
        return KeyRing(now: { now }) { digest in
            kinds.first { $0.0 == digest }.map { known in
                Credential(keyID: 1, kind: known.1, app: App(appID: 1, slug: "shop"))
            }
        }
    }

    private static let plain: HTTPHeaders = [
        "Authorization": "Bearer lf_device_1", "Content-Length": "2", "User-Agent": "Phone/1",
    ]

    private static let heads: [(method: HTTPMethod, uri: String, HTTPHeaders, isTaken: Bool)] = [
        (.POST, "/v1/events", plain, true),
        (.POST, "/v1/events", plain.with("Authorization", "bEARER lf_server_1"), true),
        (.POST, "/v1/events", plain.with("Connection", "Keep-Alive"), true),
        (.POST, "/v1/events", plain.with("content-length", "65536"), true),
        (.POST, "/v1/events", plain.with("content-length", "65537"), false),
        (.POST, "/v1/events", plain.with("content-length", "many"), false),
        (.POST, "/v1/events", plain.with("content-length", nil), false),
        (.POST, "/v1/events", plain.with("Transfer-Encoding", "chunked"), false),
        (.POST, "/v1/events", plain.with("Content-Encoding", "gzip"), false),
        (.POST, "/v1/events", plain.with("EXPECT", "100-continue"), false),
        (.POST, "/v1/events", plain.with("Connection", "close"), false),
        (.POST, "/v1/events", plain.with("Origin", "https://shop.example"), false),
        (.POST, "/v1/events", plain.with("Authorization", "Bearer lf_report_1"), false),
        (.POST, "/v1/events", plain.with("Authorization", "Bearer lf_hook_1"), false),
        (.POST, "/v1/events", plain.with("Authorization", "Bearer lf_device_2"), false),
        (.POST, "/v1/events", plain.with("Authorization", "lf_device_1"), false),
        (.POST, "/v1/events", plain.with("Authorization", nil), false),
        (.POST, "/v1/events", plain.twice("Authorization"), false),
        (.POST, "/v1/events", plain.twice("Content-Type"), false),
        (.POST, "/v1/events?page=1", plain, false),
        (.POST, "/v1/devices", plain, false),
        (.PUT, "/v1/events", plain, false),
    ]

    @Test("only a plain, small post of events with a known key takes the lane", arguments: heads.indices)
    func takers(_ index: Int) async throws {
        let (method, uri, fields, isTaken) = Self.heads[index]
        let keys = try Self.keys()
        func isPlain(_ version: HTTPVersion = .http1_1) -> Bool {
            let head = HTTPRequestHead(version: version, method: method, uri: uri, headers: fields)
            var digests = LastDigest()
            return SmallPost(
                head, ServerConfiguration.Limits(), keys: keys, digests: &digests,
                budget: IntakeBudget(bytes: 0))
                != nil
        }
        #expect(isPlain() == false)
        for kind in APIKey.Kind.allCases { _ = try await keys.credential(for: "lf_\(kind.rawValue)_1") }
        #expect(isPlain() == isTaken)
        #expect(isPlain(.http1_0) == false)
    }

    @Test("the digest of a key is right whichever key came last")
    func digests() {
        var digests = LastDigest()
        for key in ["Bearer lf_device_1", "Bearer lf_device_2", "nonsense", "Bearer lf_device_1"] {
            #expect(digests.digest(of: key) == KeyDigest(authorization: key))
        }
    }

    // MARK: Responses

    @Test("both paths give the same responses, byte for byte")
    func sameResponses() async throws {
        try await TestServer.run(
            configure: {
                $0.limits.itemsPerRequest = 3
                // So slow that nothing is refilled meanwhile.
                let limit = RateLimit(perSecond: 0.001, burst: 1_000)
                $0.limits.deviceEvents = limit
                // Each path has an address of its own.
                $0.limits.trustedProxies = [AddressRange("127.0.0.0/8")].compactMap { $0 }
                $0.limits.serverRequests = limit
                $0.limits.reportRequests = limit
            }
        ) { server async throws in
            let (otherApp, otherKeys) = try await TestServer.makeApp("other")
            let other = server.with(keys: otherKeys, app: otherApp)
            try await introduce(server)
            try await introduce(other)
            let bodies = [
                response(1), response(1), "[\(response(2)), \(arrival(1))]", arrival(1), "[]", "", "7", "{",
                "[{}, 1]",
                "{}", #"{"type":"arrival","notification_id":"x"}"#, "[\(arrival(3)),{},{},{}]", "\u{FEFF}[]",
            ]
            for kind in APIKey.Kind.allCases {
                for body in bodies {
                    let direct = try await response(
                        server, "Content-Length: \(body.utf8.count)", body, as: kind, from: "192.0.2.1")
                    let chunk = body.isEmpty ? "" : "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n"
                    let routed = try await response(
                        other, "Transfer-Encoding: chunked", "\(chunk)0\r\n\r\n", as: kind,
                        from: "192.0.2.2")
                    #expect(direct == routed, "\(kind) \(body)")
                }
            }
        }
    }

    private struct Seen: Equatable {
        /// The status line, and the fields sorted by name: their order has no meaning.
        let lines: [String]
        let body: String
    }

    private func response(
        _ server: TestServer, _ field: String, _ body: String, as kind: APIKey.Kind, from address: String
    ) async throws -> Seen {
        try await RawConnection.open(server) { connection in
            try await connection.send(
                server.head("POST /v1/events", as: kind, field, "X-Forwarded-For: \(address)") + "\r\n" + body
            )
            let response = try await connection.response()
            let fields = response.lines.dropFirst().map(comparable).sorted()
            return Seen(lines: [response.lines[0]] + fields, body: response.body)
        }
    }

    /// Replaces values that differ between responses by their form.
    private func comparable(_ line: String) -> String {
        switch line.prefix(while: { $0 != ":" }) {
        case "X-Request-ID": return line.hasSuffix(": ") ? line : "X-Request-ID: …"
        case "Date": return line.replacing(/[0-9]/, with: "0").replacing(/[A-Za-z]/, with: "a")
        // The seconds until the bucket is full again decrease meanwhile.
        case "RateLimit": return line.replacing(/;t=[0-9]+$/, with: ";t=…")
        default: return line
        }
    }

    // MARK: Concurrent requests

    @Test("concurrent requests get their responses in order, on either path")
    func pipelined() async throws {
        try await TestServer.run { server async throws in
            try await introduce(server)
            try await RawConnection.open(server) { connection in
                let health = "GET /healthz HTTP/1.1\r\nHost: landfall\r\n\r\n"
                try await connection.send(
                    post(response(1), server) + health + post(response(1), server) + post("{", server)
                        + health + health + post("[\(arrival(1)),\(arrival(2))]", server))
                let responses = [
                    try await connection.response(), try await connection.response(),
                    try await connection.response(), try await connection.response(),
                    try await connection.response(), try await connection.response(),
                    try await connection.response(),
                ]
                #expect(responses.map(\.status) == [200, 200, 200, 400, 200, 200, 200])
                #expect(
                    responses[0].body.hasPrefix(#"{"accepted":1,"duplicates":0,"errors":[],"rejected":0,"#))
                #expect(
                    responses[2].body.hasPrefix(#"{"accepted":0,"duplicates":1,"errors":[],"rejected":0,"#))
                #expect(
                    responses[6].body.hasPrefix(#"{"accepted":2,"duplicates":0,"errors":[],"rejected":0,"#))
            }
        }
    }

    @Test("a client that has finished sending gets its response")
    func halfClosed() async throws {
        try await TestServer.run { server async throws in
            try await introduce(server)
            try await RawConnection.open(server) { connection in
                try await connection.send(post(response(1), server))
                connection.finish()
                #expect(try await connection.response().status == 200)
                await connection.waitForEnd()
            }
        }
    }

    @Test("a client that leaves before its response takes nothing with it", .timeLimit(.minutes(40)))
    func gone() async throws {
        try await TestServer.run { server async throws in
            try await introduce(server)
            let blocker = try TestDatabase.current.connect()
            try blocker.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.delivery"))
            try await RawConnection.open(server) { connection in
                try await connection.send(post(response(1), server))
                try await TestDatabase.current.waitForLockWait()
            }
            try blocker.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
            #expect(try await server.post(response(1)).counts == [0, 1, 0])
        }
    }

    @Test("unreadable bytes after a small post are rejected after its response")
    func nonsenseBehind() async throws {
        try await TestServer.run { server async throws in
            try await introduce(server)
            try await RawConnection.open(server) { connection in
                try await connection.send(
                    post(response(1), server) + post(response(2), server) + "NONSENSE\r\n\r\n")
                #expect(try await connection.response().status == 200)
                #expect(try await connection.response().status == 200)
                #expect(try await connection.response().status == 400)
                await connection.waitForEnd()
            }
        }
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery") == 2)
    }

    @Test("a dripping body is cut off, and the connection with it")
    func dripping() async throws {
        try await TestServer.run(configure: { $0.limits.requestTimeout = .seconds(2) }) {
            server async throws in
            try await introduce(server)
            try await RawConnection.open(server) { connection in
                let text = post(response(1), server)
                try await connection.send(String(text.dropLast(10)))
                let response = try await connection.response()
                #expect(response.status == 408)
                #expect(response.isProblem("request_timeout"))
                await connection.waitForEnd()
            }
        }
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery") == 0)
    }
}

extension HTTPHeaders {
    fileprivate func with(_ name: String, _ value: String?) -> HTTPHeaders {
        var headers = self
        headers.remove(name: name)
        if let value { headers.add(name: name, value: value) }
        return headers
    }

    fileprivate func twice(_ name: String) -> HTTPHeaders {
        var headers = self
        for _ in 0..<2 { headers.add(name: name, value: first(name: name) ?? "text/plain") }
        return headers
    }
}
