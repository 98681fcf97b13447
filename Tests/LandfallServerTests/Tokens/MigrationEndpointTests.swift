import Access
import DeliveryModel
import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing

/// Apps that move from FCM's registration tokens to installation ids.
@Suite(.database) struct MigrationEndpointTests {
    private static let token = "dQw4w9WgXcQ_aB-cD0eF12:APA91b\(String(repeating: "Xy_-", count: 32))"
    private static let installationID = "eVUzxxT7QsyqCbpSGhfz1b"

    /// The moves of the whole ledger, by the number of tokens or installations.
    private func waterfall(of server: TestServer, _ unit: TokenWaterfall.Unit) async throws -> TokenWaterfall
    {
        try await TestDatabase.current.pool.withConnection { connection in
            let window = try WaterfallWindow(
                from: nil, to: nil, by: nil, timeZone: ReportTimeZone("UTC"), asOf: Instant.now + .minutes(1))
            return try TokenWaterfall.run(for: server.app, unit: unit, window: window, on: connection)
        }
    }

    @Test("an installation id takes the place of the registration token, with no loss and no gain")
    func migration() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, registration(Self.token, kind: "fcm"))
            let place = try await server.changes().nextAfter
            let response = try await server.put(phone, registration(Self.installationID, kind: "fid"))
            #expect(response.changes == ["rotated"])
            #expect(try await server.states() == ["fcm retired/provider_migration", "fid active"])
            #expect(try await server.audience() == 1)
            #expect(try await server.allValues() == [Self.installationID])
            let changes = try await server.changes(after: place).changes
            #expect(changes.map(\.rule) == ["provider_migration", "provider_migration"])
            #expect(changes.map(\.value) == [Self.installationID, Self.token])
            #expect(changes.map(\.from) == [nil, "active"])
            #expect(changes.map(\.to) == ["active", "retired"])
            #expect(changes.map(\.replacedBy) == [nil, changes.first?.tokenId])
            for unit in TokenWaterfall.Unit.allCases {
                let total = try await waterfall(of: server, unit).total
                #expect(total.flows == [.registered: 1])
                #expect(total.end[.active] == 1)
            }
        }
    }

    @Test(
        "a response that is the first to name an installation id discovers a token of its kind",
        arguments: ["", #","token_kind":"fcm""#, #","token_kind":"fid""#])
    func discovered(kind: String) async throws {
        try await TestServer.run { server async throws in
            let response =
                #""provider":"fcm","topic":"com.example.shop","status":200,"token":"\#(Self.installationID)""#
            #expect(try await server.respond(response + kind).warningCodes == ["unregistered_token"])
            #expect(try await server.states() == ["fid active"])
        }
    }

    @Test("late responses about the registration token change nothing, and those about the id are judged")
    func lateResponses() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, registration(Self.token, kind: "fcm"))
            _ = try await server.put(phone, registration(Self.installationID, kind: "fid"))
            let old = #""provider":"fcm","topic":"com.example.shop","token":"\#(Self.token)""#
            #expect(try await server.respond(old + #","status":200"#).warningCodes == [])
            _ = try await server.respond(old + #","status":404,"reason":"UNREGISTERED""#)
            #expect(try await server.states() == ["fcm retired/provider_migration", "fid active"])
            let new = #""provider":"fcm","topic":"com.example.shop","token":"\#(Self.installationID)""#
            _ = try await server.respond(new + #","status":404,"reason":"UNREGISTERED""#)
            #expect(
                try await server.states() == [
                    "fcm retired/provider_migration", "fid retired/unregistered",
                ])
        }
    }

    @Test("an earlier version of the app moves back, and both values stay if the app lists both")
    func back() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, registration(Self.token, kind: "fcm"))
            _ = try await server.put(phone, registration(Self.installationID, kind: "fid"))
            #expect(try await server.put(phone, registration(Self.token, kind: "fcm")).changes == ["rotated"])
            #expect(try await server.states() == ["fcm active", "fid retired/provider_migration"])
            #expect(try await waterfall(of: server, .tokens).total.flows == [.registered: 1])
            let both = [listed(Self.token, "fcm"), listed(Self.installationID, "fid")]
            _ = try await server.put(phone, #"{"tokens":[\#(both.joined(separator: ","))]}"#)
            #expect(try await server.states() == ["fcm active", "fid active"])
            #expect(try await server.audience() == 1)
        }
    }

    @Test(
        "the form of a value says which of the two it is, whatever the library calls it",
        arguments: [(token, "fid", "fcm"), (installationID, "fcm", "fid"), (installationID, "fid", "fid")])
    func form(value: String, posted: String, kind: String) async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.put(UUID(), registration(value, kind: posted)).changes == ["registered"])
            #expect(try await server.tokens().tokens.map(\.kind) == [kind])
        }
    }

    @Test("a new value of the same kind is still a rotation")
    func rotation() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            for value in [Self.installationID, "cVUzxxT7QsyqCbpSGhfz2c"] {
                _ = try await server.put(phone, registration(value, kind: "fid"))
            }
            #expect(try await server.states() == ["fid retired/rotated", "fid active"])
            #expect(
                try await server.changes().changes.map(\.rule) == ["registered", "registered", "rotated"])
        }
    }
}
