import HummingbirdTesting
import LandfallServer
import Synchronization
import TestDatabase
import Testing

@Suite(.database) struct ConnectionBoundTests {
    @Test("a connection beyond the last one is served as soon as another closes, and not before")
    func oneTooMany() async throws {
        // This client opens no connection of its own unless it is asked to.
        try await TestServer.run(over: .ahc(.http), configure: { $0.limits.connections = 2 }) {
            server async throws in
            try await RawConnection.open(server) { first in
                try await askForHealth(server, on: first)
                try await RawConnection.open(server) { second in
                    try await askForHealth(server, on: second)
                    try await expectThirdWaits(server, besides: first, second)
                }
            }
        }
    }

    private func askForHealth(_ server: TestServer, on connection: RawConnection) async throws {
        try await connection.send(server.head("GET /healthz") + "\r\n")
        #expect(try await connection.answer().status == 200)
    }

    private func expectThirdWaits(
        _ server: TestServer, besides first: RawConnection, _ second: RawConnection
    ) async throws {
        let story = Story()
        let (asked, asking) = AsyncStream<Void>.makeStream()
        async let third: Void = RawConnection.open(server) { third in
            try await third.send(server.head("GET /healthz") + "\r\n")
            asking.finish()
            #expect(try await third.answer().status == 200)
            story.note("third answered")
        }
        for await _ in asked {}
        for _ in 0..<100 { try await askForHealth(server, on: first) }
        story.note("second ended")
        second.finish()
        try await third
        #expect(story.events == ["second ended", "third answered"])
    }
}

/// What happened, in order.
private final class Story: Sendable {
    private let noted = Mutex<[String]>([])

    var events: [String] { noted.withLock { $0 } }

    func note(_ event: String) {
        noted.withLock { $0.append(event) }
    }
}
