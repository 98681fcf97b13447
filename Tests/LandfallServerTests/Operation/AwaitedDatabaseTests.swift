import FaultProxy
import Foundation
import Logging
import PostgresClient
import Synchronization
import TestDatabase
import Testing

@testable import LandfallServer

/// A server that starts before its database.
@Suite(.database, .timeLimit(.minutes(40))) struct AwaitedDatabaseTests {
    private func open(_ url: String, logger: Logger) async throws -> Backend {
        var configuration = ServerConfiguration(testing: url)
        configuration.allowsUnsafeDatabase = true
        return try await Backend.open(configuration, tokenKey: testTokenKey, waits: true, logger: logger)
    }

    @Test("the server waits for an unavailable database and logs it; then it starts")
    func waits() async throws {
        let proxy = try FaultProxy(upstream: TestDatabase.current.socketFolder)
        defer { proxy.close() }
        proxy.refuse()
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let logger = Logger(label: "test") { label in
            LineLogHandler(label: label, isJSON: false) { line.yield($0) }
        }
        let url = proxy.url(database: TestDatabase.current.name)
        async let opened = open(url, logger: logger)
        for await text in lines where text.contains("waiting for the database") { break }
        try proxy.accept()
        try await opened.close()
    }

    @Test(
        "the server does not wait for a database that rejects the connection",
        arguments: ["dbname=nonexistent", "user=nobody_at_all"])
    func rejected(option: String) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        await #expect(throws: PostgresError.self) {
            try await open("\(TestDatabase.current.url) \(option)", logger: logger).close()
        }
    }

    @Test("an address that no server listens on is away, one of a server is not")
    func away() throws {
        #expect(PostgresConnection.isAway("host=/nonexistent"))
        #expect(!PostgresConnection.isAway(TestDatabase.current.url))
        #expect(!PostgresConnection.isAway("postgres://[nonsense"))
    }
}
