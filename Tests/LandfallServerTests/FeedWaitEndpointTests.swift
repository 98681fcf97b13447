import Access
import ChildPrograms
import DeliveryModel
import Foundation
import HTTPTypes
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// `GET /v1/token-changes?wait=60`, which responds when there is a change.
@Suite(.database, .timeLimit(.minutes(40))) struct FeedWaitEndpointTests {
    private static func run(
        places: Int = 8, _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(configure: {
            $0.limits.feedWaiters = places
            $0.metricsLifetime = .zero
        }) { try await body($0) }
    }

    @Test("changes after the cursor are returned at once")
    func atOnce() async throws {
        try await Self.run(places: 1) { server async throws in
            _ = try await server.put(UUID(), registration(tokenValue(1)))
            let changes = try await server.waitForChanges(after: 0).document(ChangePage.self)
            #expect(changes.changes.map(\.value) == [tokenValue(1)])
            #expect(try await server.waiting() == 0)
        }
    }

    @Test("without changes, the response is an empty page once the time has passed")
    func timePasses() async throws {
        try await Self.run { server async throws in
            _ = try await server.put(UUID(), registration(tokenValue(1)))
            let last = try await server.changes().nextAfter
            for seconds in ["0", "1", ""] {
                let page = try await server.waitForChanges(after: last, "wait=\(seconds)")
                    .document(ChangePage.self)
                #expect(page.changes.isEmpty)
                #expect(page.nextAfter == last)
            }
            #expect(try await server.waiting() == 0)
        }
    }

    @Test(
        "a wait that is no number from 0 to 60 is rejected",
        arguments: ["wait=61", "wait=-1", "wait=x", "wait=1.5", "wait=30s"])
    func impossible(query: String) async throws {
        try await Self.run { server async throws in
            let response = try await server.waitForChanges(after: 0, query)
            #expect(response.status == 422)
            #expect(response.code == "invalid_field")
            #expect(response.detail?.contains("between 0 and 60") == true)
        }
    }

    @Test("readers that wait get a change when it is written, and hold no connection meanwhile")
    func change() async throws {
        try await TestServer.run(configure: {
            $0.administrationConnections = 1
            $0.limits.feedWaiters = 20
            $0.metricsLifetime = .zero
        }) { server async throws in
            try await withThrowingTaskGroup(of: [String?].self) { readers in
                // The test's client has few connections to one server.
                for _ in 0..<5 {
                    readers.addTask {
                        let page = try await server.waitForChanges(after: 0).document(ChangePage.self)
                        return page.changes.map(\.value)
                    }
                }
                try await server.untilWaiting(5)
                // The only connection writes this.
                #expect(try await server.put(UUID(), registration(tokenValue(1))).status == 200)
                for try await values in readers { #expect(values == [tokenValue(1)]) }
            }
            #expect(try await server.waiting() == 0)
        }
    }

    @Test("a change of another app, or of an unproven value, ends no wait")
    func notTheirs() async throws {
        try await Self.run { server async throws in
            let (app, keys) = try await TestServer.makeApp("news")
            let other = server.with(keys: keys, app: app)
            let (phone, values) = (UUID(), (1...3).map { listed(tokenValue($0), "alert") })
            _ = try await server.put(phone, #"{"tokens":[\#(values[0]),\#(values[1])]}"#)
            let known = try await server.changes()
            #expect(known.changes.count == 2)
            async let waited = server.waitForChanges(after: known.nextAfter)
            try await server.untilWaiting(1)
            _ = try await other.put(UUID(), registration(tokenValue(8)))
            // Two values of a device are believed. The third waits for a proof, and only the ledger has it.
            _ = try await server.put(phone, #"{"tokens":[\#(values.joined(separator: ","))]}"#)
            #expect(try await server.changes(after: known.nextAfter).changes.isEmpty)
            _ = try await server.put(UUID(), registration(tokenValue(9)))
            let page = try await waited.document(ChangePage.self)
            #expect(page.changes.map(\.value) == [tokenValue(9)])
        }
    }

    @Test("an app has a quarter of the places, and all apps together the places there are")
    func places() async throws {
        try await Self.run(places: 8) { server async throws in
            let (app, keys) = try await TestServer.makeApp("news")
            let other = server.with(keys: keys, app: app)
            try await withThrowingTaskGroup(of: Int.self) { readers in
                for _ in 0..<2 { readers.addTask { try await server.waitForChanges(after: 0).status } }
                try await server.untilWaiting(2)
                let refused = try await server.waitForChanges(after: 0)
                #expect(refused.status == 429)
                #expect(refused.code == "too_many_waits")
                #expect(refused.headers[.retryAfter].flatMap { Int($0) } != nil)
                // Only a wait needs a place.
                #expect(try await server.waitForChanges(after: 0, "").status == 200)
                readers.addTask { try await other.waitForChanges(after: 0).status }
                try await server.untilWaiting(3)
                for reader in [server, other] {
                    _ = try await reader.put(UUID(), registration(tokenValue(1)))
                }
                for try await status in readers { #expect(status == 200) }
            }
        }
    }

    @Test("a client that leaves frees its place", arguments: [false, true])
    func departure(halfway: Bool) async throws {
        try await Self.run(places: 4) { server async throws in
            for _ in 0..<3 {
                try await RawConnection.open(server) { connection in
                    let head = server.head("GET /v1/token-changes?after=0&wait=60")
                    try await connection.send(head + "\r\n")
                    try await server.untilWaiting(1)
                    guard halfway else { return }
                    connection.finish()
                    try await server.untilWaiting(0)
                }
                try await server.untilWaiting(0)
            }
        }
    }

    @Test("a key that is revoked during the wait gets nothing")
    func revoked() async throws {
        try await Self.run { server async throws in
            let key = try await TestDatabase.current.pool.withConnection { connection in
                try AppDirectory(connection).createKey(kind: .server, for: server.app, at: .now)
            }
            let other = server.with(keys: [.server: key.text], app: server.app)
            async let waited = other.waitForChanges(after: 0)
            try await server.untilWaiting(1)
            try await TestDatabase.current.execute(
                "UPDATE landfall.api_key SET revoked_at = now() WHERE digest = sha256(convert_to($1, 'UTF8'))",
                [.value(key.text)])
            _ = try await server.put(UUID(), registration(tokenValue(1)))
            let response = try await waited
            #expect(response.status == 401)
            #expect(!response.text.contains(tokenValue(1)))
        }
    }

    @Test("a connection on which a client waited serves its next request")
    func nextRequest() async throws {
        try await Self.run { server async throws in
            try await RawConnection.open(server) { connection in
                for _ in 0..<2 {
                    let head = server.head("GET /v1/token-changes?after=0&wait=1")
                    try await connection.send(head + "\r\n")
                    #expect(try await connection.response().status == 200)
                }
            }
        }
    }

    @Test("a server that stops ends the waits with an empty page")
    func shutdown() async throws {
        let folder = try ThrowawayFolder.create(for: "waits")
        defer { try? folder.remove() }
        let (app, keys) = try await TestServer.makeApp("shop")
        let program = try await StartedServer.start(
            database: TestDatabase.current.url, dataFolder: folder.url,
            environment: ["LANDFALL_SHUTDOWN_GRACE": "20"])
        defer { program.kill() }
        let server = TestServer(app: app, keys: keys, port: program.port)
        async let waited = server.waitForChanges(after: 0)
        try await server.untilWaiting(1)
        kill(program.processID, SIGTERM)
        // The grace period is shorter than the wait: without an end, there would be no response.
        let response = try await waited
        #expect(response.status == 200)
        #expect(try response.document(ChangePage.self).changes.isEmpty)
    }
}

extension TestServer {
    fileprivate func waitForChanges(after: Int64, _ query: String = "wait=60") async throws -> Response {
        try await send(.get, "/v1/token-changes?after=\(after)&\(query)", as: .server)
    }

    /// The number of requests that may wait.
    fileprivate func waiting() async throws -> Int {
        let name = "landfall_feed_waits "
        let lines = try await send(.get, "/metrics", as: nil).text.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(name) })
        return try #require(Double(line.dropFirst(name.count)).map { Int($0) })
    }

    fileprivate func untilWaiting(_ count: Int) async throws {
        while try await waiting() != count { try await Task.sleep(for: .milliseconds(20)) }
    }
}
