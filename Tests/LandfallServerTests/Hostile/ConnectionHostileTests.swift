import Access
import TestDatabase
import Testing

@testable import LandfallServer

/// Clients that open connections in order to keep others out.
@Suite(.database) struct ConnectionHostileTests {
    /// Addresses of 254 clients.
    private static let crowd = (1...254).map { "127.1.0.\($0)" }

    @Test("1,500 idle sockets of one address: 512 stay, and others are served", .timeLimit(.minutes(40)))
    func oneAddress() async throws {
        #expect(OpenFiles.raiseLimit() > 3_500, "the test needs files: ulimit -Hn")
        let keys = try await TestServer.makeApp("shop").1
        let key = try #require(keys[.device])
        // On a slow machine, opening them takes longer than a connection may be idle.
        try await ServedApplication.run(configure: { $0.limits.idleTimeout = .seconds(3_600) }) {
            served async throws in
            let sockets = try await IdleSockets.open(1_500, port: served.port, from: ["127.0.0.2"])
            try await sockets.wait(untilOpen: 512)
            #expect(sockets.openCount == 512)
            #expect(try await served.get("/healthz", from: "127.0.0.3").status == 200)
            #expect(try await served.getFromAdmin("/healthz").status == 200)
            try await RawConnection.open(port: served.port, from: "127.0.0.4") { phone in
                let body = #"{"type":"click","notification_id":"\#(notificationID(1))"}"#
                try await phone.send(
                    "POST /v1/events HTTP/1.1\r\nHost: landfall\r\nAuthorization: Bearer \(key)\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                #expect(try await phone.response().status == 200)
            }
            let closed = try await served.metric(#"landfall_connections_closed_total{reason="gave_way"}"#)
            #expect(closed == 988)
        }
    }

    @Test("phones at the address of such a client are served, one after the other")
    func sharedAddress() async throws {
        try await ServedApplication.run(configure: { $0.limits.connectionsPerAddress = 20 }) {
            served async throws in
            let sockets = try await IdleSockets.open(100, port: served.port, from: ["127.0.0.2"])
            for _ in 0..<100 {
                #expect(try await served.get("/healthz", from: "127.0.0.2").status == 200)
            }
            #expect(sockets.openCount <= 20)
        }
    }

    @Test("one address with as many slow requests as it may have takes no place of another")
    func slowRequests() async throws {
        let keys = try await TestServer.makeApp("shop").1
        let key = try #require(keys[.device])
        try await ServedApplication.run(configure: {
            $0.limits.connectionsPerAddress = 2
            $0.limits.requestTimeout = .seconds(3_600)
        }) { served async throws in
            try await RawConnection.open(port: served.port, from: "127.0.0.2") { first in
                try await first.beginPost(key)
                try await RawConnection.open(port: served.port, from: "127.0.0.2") { second in
                    try await second.beginPost(key)
                    let sockets = try await IdleSockets.open(50, port: served.port, from: ["127.0.0.2"])
                    try await sockets.wait(untilOpen: 0)
                    #expect(sockets.openCount == 0)
                    #expect(try await served.get("/healthz", from: "127.0.0.3").status == 200)
                    for connection in [first, second] {
                        try await connection.send("]")
                        #expect(try await connection.response().status == 200)
                    }
                }
            }
            let closed = try await served.metric(
                #"landfall_connections_closed_total{reason="address_limit"}"#)
            #expect(closed == 50)
        }
    }

    @Test(
        "many addresses with idle sockets, or with half a head on each, do not keep others out",
        arguments: ["", "GET /healthz HTTP/1.1\r\nHost: lan"])
    func manyAddresses(sent: String) async throws {
        let places = 40
        try await ServedApplication.run(configure: {
            $0.limits.connections = places
            // They do not leave by themselves.
            $0.limits.requestTimeout = .seconds(3_600)
            $0.limits.idleTimeout = .seconds(3_600)
        }) { served async throws in
            for round in 1...3 {
                let sockets = try await IdleSockets.open(
                    200, port: served.port, from: Self.crowd, sending: sent)
                #expect(try await served.get("/healthz").status == 200, "round \(round)")
                // The health check's connection had a place. If the backlog was full, one of the sockets came
                // after it.
                try await sockets.wait(untilOpen: places)
                #expect((places - 1...places).contains(sockets.openCount))
                #expect(try await served.getFromAdmin("/healthz").status == 200)
            }
        }
    }

    @Test("a flood of sockets cuts no request in progress, however slow it is")
    func slowPhone() async throws {
        let keys = try await TestServer.makeApp("shop").1
        let key = try #require(keys[.device])
        try await ServedApplication.run(configure: {
            $0.limits.connections = 10
            $0.limits.requestTimeout = .seconds(3_600)
        }) { served async throws in
            try await RawConnection.open(port: served.port) { phone in
                try await phone.beginPost(key)
                let sockets = try await IdleSockets.open(100, port: served.port, from: Self.crowd)
                try await phone.send("]")
                #expect(try await phone.response().status == 200)
                withExtendedLifetime(sockets) {}
            }
        }
    }

    @Test("trusted proxies may have as many connections as there are places")
    func proxy() async throws {
        let proxy = try #require(AddressRange("127.0.0.2"))
        try await ServedApplication.run(configure: {
            $0.limits.connectionsPerAddress = 5
            $0.limits.trustedProxies = [proxy]
            $0.limits.idleTimeout = .seconds(3_600)
        }) { served async throws in
            let trusted = try await IdleSockets.open(50, port: served.port, from: ["127.0.0.2"])
            let other = try await IdleSockets.open(50, port: served.port, from: ["127.0.0.3"])
            try await other.wait(untilOpen: 5)
            #expect(other.openCount == 5)
            #expect(trusted.openCount == 50)
        }
    }
}
