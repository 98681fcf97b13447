import Access
import Foundation
import HTTPTypes
import HummingbirdTesting
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// Clients that make others wait.
@Suite(.database, .timeLimit(.minutes(40))) struct WaitingHostileTests {
    private let database = TestDatabase.current

    @Test("health checks and keys do not wait for registrations that wait for the database")
    func registrations() async throws {
        try await TestServer.run(configure: {
            ($0.statementTimeout, $0.workTimeout) = (.seconds(600), .seconds(600))
        }) { server async throws in
            let blocker = try database.connect()
            try blocker.execute(
                script: SQLFile(
                    name: "lock", text: "BEGIN; LOCK TABLE landfall.installation IN ACCESS EXCLUSIVE MODE"))
            try await withThrowingTaskGroup(of: Int.self) { group in
                // Each on a connection of its own: a client would hold most of them back.
                for number in 0..<64 {
                    let body = registration(tokenValue(number))
                    let head = server.head(
                        "PUT /v1/devices/\(UUID())", as: .device, "Content-Length: \(body.utf8.count)")
                    group.addTask { try await Self.status(of: head + "\r\n" + body, server) }
                }
                try await database.wait(
                    until: """
                        SELECT count(*) / 4 FROM pg_locks
                         WHERE NOT granted AND relation = 'landfall.installation'::regclass
                           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                        """)
                // The registrations wait until the lock is released, which happens only after these
                // responses.
                for path in ["/healthz", "/readyz"] {
                    let request = "GET \(path) HTTP/1.1\r\nHost: landfall\r\n\r\n"
                    #expect(try await Self.status(of: request, server) == 200)
                }
                let key = try await database.pool.withConnection { [app = server.app] connection in
                    try AppDirectory(connection).createKey(kind: .server, for: app, at: .now).text
                }
                let post =
                    "POST /v1/events HTTP/1.1\r\nHost: landfall\r\nAuthorization: Bearer \(key)\r\n"
                    + "Content-Length: 2\r\n\r\n[]"
                #expect(try await Self.status(of: post, server) == 200)
                try blocker.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    private static func status(of request: String, _ server: TestServer) async throws -> Int {
        try await RawConnection.open(server) { connection in
            try await connection.send(request)
            return try await connection.response().status
        }
    }

    @Test("a flood of invented keys from an address blocks no valid key there, used before or not")
    func inventedKeys() async throws {
        // Attempts are refilled with time, and no time passes here.
        let start = ContinuousClock.now
        try await TestServer.run(configure: { $0.limits.steadyTime = { start } }) { server async throws in
            @Sendable func post(_ key: String) async throws -> Int {
                try await server.send(
                    .post, "/v1/events", Array("[]".utf8), as: nil,
                    headers: [.authorization: "Bearer \(key)"]
                ).status
            }
            let keys = try await database.pool.withConnection { [app = server.app] connection in
                try (0..<5).map { _ in
                    try AppDirectory(connection).createKey(kind: .device, for: app, at: .now).text
                }
            }
            let statuses = try await withThrowingTaskGroup(of: (isTrue: Bool, status: Int).self) { group in
                for number in 0..<300 {
                    group.addTask {
                        guard number % 60 == 59 else {
                            return (false, try await post("lf_device_\(UUID())"))
                        }
                        return (true, try await post(keys[number / 60]))
                    }
                }
                return try await group.reduce(into: [(isTrue: Bool, status: Int)]()) { $0.append($1) }
            }
            #expect(statuses.filter(\.isTrue).map(\.status) == [200, 200, 200, 200, 200])
            #expect(Set(statuses.filter { !$0.isTrue }.map(\.status)).isSubset(of: [401, 429]))
            // The flood is beyond its limit now, and so is the rest of it.
            var rest: [Int] = []
            for _ in 0..<60 { rest.append(try await post("lf_device_\(UUID())")) }
            #expect(rest.contains(429))
        }
    }

    @Test("requests whose bodies do not arrive hold no places that others need", arguments: [3, 1])
    func heldUp(addresses: Int) async throws {
        let keys = try await TestServer.makeApp("shop").1
        let key = try #require(keys[.device])
        let places = 12
        try await ServedApplication.run(configure: {
            $0.limits.connections = places
            // One address has a third of them, or all.
            $0.limits.connectionsPerAddress = places / addresses + 1
            // They do not leave by themselves, and need not be old to give way.
            $0.limits.requestTimeout = .seconds(3_600)
            $0.limits.idleTimeout = .seconds(3_600)
            $0.limits.heldUpPatience = .zero
        }) { served async throws in
            let half =
                "POST /v1/events HTTP/1.1\r\nHost: landfall\r\nAuthorization: Bearer \(key)\r\n"
                + "Content-Length: 2\r\n\r\n["
            for round in 1...3 {
                let sockets = try await IdleSockets.open(
                    places + 1, port: served.port, from: (2..<2 + addresses).map { "127.0.0.\($0)" },
                    sending: half)
                // Another address, and one that the attacker uses, too.
                for address in ["127.0.0.9", "127.0.0.2"] {
                    #expect(
                        try await served.get("/healthz", from: address).status == 200,
                        "round \(round), \(address)")
                }
                try await sockets.wait(untilOpen: places)
                #expect(sockets.openCount <= places)
            }
            let name = #"landfall_connections_closed_total{reason="gave_way"}"#
            #expect(try await served.metric(name) ?? 0 > 0)
        }
    }
}
