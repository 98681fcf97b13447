import Hummingbird
import LandfallServer
import Logging
import Synchronization
import TestDatabase
import Testing

@Suite(.database) struct ConnectionBoundTests {
    @Test("a connection beyond the limit is served as soon as another closes, and not before")
    func oneTooMany() async throws {
        try await serve(connections: 2) { port in
            try await RawConnection.open(port: port) { first in
                try await askForHealth(first)
                try await RawConnection.open(port: port) { second in
                    try await askForHealth(second)
                    try await expectThirdWaits(port, besides: first, second)
                }
            }
        }
    }

    /// Serves the application itself: Hummingbird's test framework ignores the limit.
    private func serve(connections: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws
    {
        var configuration = ServerConfiguration(databaseURL: TestDatabase.current.url)
        configuration.port = 0
        configuration.allowsUnsafeDatabase = true
        configuration.limits.connections = connections
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        let (ports, running) = AsyncStream<Int>.makeStream()
        let application = buildApplication(configuration, backend: backend, logger: logger) { port in
            running.yield(port)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
            try? await group.waitForAll()
        }
        try await backend.close()
    }

    private func askForHealth(_ connection: RawConnection) async throws {
        try await connection.send("GET /healthz HTTP/1.1\r\n\r\n")
        #expect(try await connection.response().status == 200)
    }

    private func expectThirdWaits(
        _ port: Int, besides first: RawConnection, _ second: RawConnection
    ) async throws {
        let story = Story()
        let (asked, asking) = AsyncStream<Void>.makeStream()
        async let third: Void = RawConnection.open(port: port) { third in
            try await third.send("GET /healthz HTTP/1.1\r\n\r\n")
            asking.finish()
            #expect(try await third.response().status == 200)
            story.note("third responded")
        }
        for await _ in asked {}
        for _ in 0..<100 { try await askForHealth(first) }
        story.note("second ended")
        second.finish()
        try await third
        #expect(story.events == ["second ended", "third responded"])
    }
}

/// The events of the test, in order.
private final class Story: Sendable {
    private let noted = Mutex<[String]>([])

    var events: [String] { noted.withLock { $0 } }

    func note(_ event: String) {
        noted.withLock { $0.append(event) }
    }
}
