import Access
import DeliveryModel
import Logging
import PostgresClient
import PrometheusMetrics
import Reports
import TestDatabase
import Testing

@testable import Ingestion
@testable import LandfallServer

/// Clients that fill the quarantine with the device key, to get rid of what others have in it.
@Suite(.database) struct QuarantineHostileTests {
    private let limits = QuarantineLimits(items: 20, bytes: 100_000)

    private func run(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run(configure: { [limits] in $0.quarantine = limits }) { try await body($0) }
    }

    /// Lines that are all invalid, each for itself.
    private func garbage(_ count: Int, _ name: String, padding: Int = 0) -> String {
        let text = String(repeating: "x", count: padding)
        return (0..<count).map { #"{"type":"\#(name)","n":\#($0),"x":"\#(text)"}"# }.joined(separator: "\n")
    }

    private func books(_ app: App, _ poster: EventValidator.Poster) async throws -> QuarantineBooks {
        try await TestDatabase.current.pool.withConnection {
            try QuarantineStock(appID: app.appID, on: $0).books(of: poster)
        }
    }

    private func isVerified() async throws -> Bool {
        try await TestDatabase.current.pool.withConnection { try Verification.run(on: $0) }.differences
            .isEmpty
    }

    @Test("whatever a device key posts, the rejected items of servers and of other apps stay")
    func flood() async throws {
        try await run { server in
            let (other, otherKeys) = try await TestServer.makeApp("other")
            let otherServer = server.with(keys: otherKeys, app: other)
            _ = try await server.post(garbage(15, "servers"))
            _ = try await otherServer.post(garbage(15, "servers"))
            _ = try await otherServer.post(garbage(5, "devices"), as: .device)

            // Many texts, several codes, and texts that fill the share by their bytes alone.
            _ = try await server.post(garbage(40, "a"), as: .device)
            _ = try await server.post(
                (0..<30).map { #"{"type":"click","notification_id":[\#($0)]}"# }.joined(separator: "\n"),
                as: .device)
            _ = try await server.post(garbage(4, "long", padding: 60_000), as: .device)

            #expect(try await books(server.app, .device).evicted > 60)
            #expect(try await books(server.app, .server) == QuarantineBooks(kept: 15))
            #expect(try await books(other, .server) == QuarantineBooks(kept: 15))
            #expect(try await books(other, .device) == QuarantineBooks(kept: 5))
            #expect(try await isVerified())

            let metrics = ServerMetrics()
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let watch = GaugeWatch(
                pool: TestDatabase.current.pool, metrics: metrics.of(nil), logger: logger)
            _ = await watch.look()
            let evicted = try await books(server.app, .device).evicted
            let rendered = metrics.factory.render()
            #expect(rendered.contains("\nlandfall_quarantine_items{key=\"server\"} 30\n"))
            #expect(rendered.contains("\nlandfall_quarantine_evicted_items{key=\"server\"} 0\n"))
            #expect(rendered.contains("\nlandfall_quarantine_evicted_items{key=\"device\"} \(evicted)\n"))
        }
    }

    @Test("a server's mistake does not evict the items of devices either")
    func servers() async throws {
        try await run { server in
            _ = try await server.post(garbage(15, "devices"), as: .device)
            _ = try await server.post(garbage(100, "servers"))
            #expect(try await books(server.app, .server) == QuarantineBooks(kept: 100, evicted: 80))
            #expect(try await books(server.app, .device) == QuarantineBooks(kept: 15))
            #expect(try await isVerified())
        }
    }
}
