import Access
import LandfallServer
import TestDatabase
import Testing

@Suite(.database) struct ConnectionBoundTests {
    @Test("a connection beyond the limit takes the place of the one that has been idle longest")
    func takesPlace() async throws {
        try await ServedApplication.run(configure: { $0.limits.connections = 2 }) { served async throws in
            try await RawConnection.open(port: served.port) { first in
                try await askForHealth(first)
                try await RawConnection.open(port: served.port) { second in
                    try await askForHealth(second)
                    // Now the second one has been idle longer.
                    try await askForHealth(first)
                    try await RawConnection.open(port: served.port) { third in
                        try await askForHealth(third)
                        await second.waitForEnd()
                        try await askForHealth(first)
                        try await askForHealth(third)
                    }
                }
            }
            let name = #"landfall_connections_closed_total{reason="gave_way"}"#
            #expect(try await served.metric(name) == 1)
        }
    }

    @Test("while all others are busy, a connection waits, and none of their requests is cut")
    func allBusy() async throws {
        let keys = try await TestServer.makeApp("shop").1
        let key = try #require(keys[.device])
        let configure: (inout ServerConfiguration) -> Void = {
            $0.limits.connections = 1
            // However busy the machine is.
            $0.limits.requestTimeout = .seconds(600)
        }
        try await ServedApplication.run(configure: configure) { served async throws in
            // The first takes the place, the second is the one more that is accepted; a third waits.
            try await RawConnection.open(port: served.port) { first in
                try await first.beginPost(key)
                try await RawConnection.open(port: served.port) { second in
                    try await second.beginPost(key)
                    async let third = served.get("/healthz")
                    for _ in 0..<50 { #expect(try await served.getFromAdmin("/healthz").status == 200) }
                    for connection in [first, second] {
                        try await connection.send("]")
                        #expect(try await connection.response().status == 200)
                    }
                    #expect(try await third.status == 200)
                }
            }
        }
    }

    private func askForHealth(_ connection: RawConnection) async throws {
        try await connection.send("GET /healthz HTTP/1.1\r\nHost: landfall\r\n\r\n")
        #expect(try await connection.response().status == 200)
    }
}

extension RawConnection {
    /// Sends all of an empty post but its last byte, and waits until the server has read the head.
    func beginPost(_ key: String) async throws {
        try await send(
            "POST /v1/events HTTP/1.1\r\nHost: landfall\r\nAuthorization: Bearer \(key)\r\n"
                + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try await response().status == 100)
        try await send("[")
    }
}
