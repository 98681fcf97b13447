import Access
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing

/// Clients that register tokens with the device key, to open a breaker or to keep one from opening.
@Suite(.database) struct BreakerHostileTests {
    private static let dead = #""status":410,"reason":"Unregistered""#
    private static let bad = #""status":400,"reason":"BadDeviceToken""#
    private static let accepted = #""status":200"#

    /// Registers tokens for as many installations, before anything is sent to them.
    private func register(
        _ tokens: Range<Int>, as kind: APIKey.Kind = .server, _ server: TestServer
    ) async throws {
        let registeredAt = (Instant.now - .days(4)).millisecondsSinceEpoch
        for token in tokens {
            let body = registration(tokenValue(token), also: #","registered_at":\#(registeredAt)"#)
            #expect(try await server.put(UUID(), body, as: kind).changes == ["registered"])
        }
    }

    /// Posts the same response about each token, in one request.
    private func respond(
        _ result: String, about tokens: Range<Int>, sentAt: Instant = .now, _ server: TestServer
    ) async throws {
        let lines = tokens.map { token in
            """
            {"type":"response","notification_id":"\(UUID())","sent_at":"\(sentAt.rfc3339)","provider":"apns",\(result),\
            "token":"\(tokenValue(token))","topic":"com.example.shop"}
            """
        }
        #expect(try await server.post(lines.joined(separator: "\n")).counts[0] == tokens.count)
    }

    /// The number of tokens by state and cause.
    private func states() async throws -> [String] {
        try await TestDatabase.current.query(
            """
            SELECT state || coalesce('/' || cause, '') || ':' || count(*) AS line FROM landfall.token
            GROUP BY state, cause ORDER BY line
            """
        ) { try $0.get(0, as: String.self) }
    }

    private func openBreakers() async throws -> Int64 {
        try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.token_breaker WHERE opened_at IS NOT NULL")
    }

    @Test("forged tokens that a provider rejects open no breaker, so nothing of other people's is held")
    func opening() async throws {
        try await TestServer.run { server in
            try await register(0..<60, as: .device, server)
            try await register(100..<101, server)
            try await respond(Self.accepted, about: 100..<101, sentAt: .now - .hours(3), server)
            try await respond(Self.bad, about: 0..<30, server)
            try await respond(Self.dead, about: 30..<60, server)
            #expect(try await openBreakers() == 0)
            try await respond(Self.dead, about: 100..<101, server)
            #expect(try await states() == ["retired/unregistered:31", "suspect/bad_token:30"])
        }
    }

    @Test(
        "a month of forged tokens that a provider rejects does not keep the breaker from guarding a small app"
    )
    func keepingShut() async throws {
        try await TestServer.run { server in
            try await register(0..<26, server)
            try await respond(Self.accepted, about: 0..<26, sentAt: .now - .hours(30), server)
            // Of all pushes before the last 24 hours, 90 % went to forged tokens and were rejected.
            try await TestDatabase.current.execute(
                """
                INSERT INTO landfall.counter_live (app_id, quarter, campaign_id, segment_id, response_id, notifications, state, shard)
                SELECT \(server.app.appID), to_timestamp($1), 1, 1, response_id, notifications, state, 0
                  FROM (VALUES (0, 100, 3), (1, 900, 131073)) AS side (response_id, notifications, state)
                """,
                [.value(Double((Instant.now - .days(3)).startOfQuarter.millisecondsSinceEpoch / 1_000))])
            try await respond(Self.dead, about: 0..<26, server)
            #expect(try await openBreakers() == 1)
            #expect(try await states() == ["retired/unregistered:20", "suspect/breaker:6"])
        }
    }

    @Test("an open breaker guards tokens that are suspect already, even if no push to them was ever accepted")
    func suspects() async throws {
        try await TestServer.run { server in
            try await register(0..<34, server)
            try await respond(Self.accepted, about: 0..<32, sentAt: .now - .hours(5), server)
            // Two that were accepted, two that were not.
            try await respond(Self.bad, about: 30..<34, sentAt: .now - .hours(2), server)
            try await respond(Self.dead, about: 0..<30, server)
            // The four suspicions count among the twenty that open it: a server registered the tokens.
            #expect(try await openBreakers() == 1)
            try await respond(Self.dead, about: 30..<33, server)
            try await respond(Self.bad, about: 33..<34, server)
            let held = "SELECT count(*) FROM landfall.token WHERE state = 'suspect' AND cause = 'breaker'"
            #expect(try await TestDatabase.current.count(held) == 18)
            #expect(try await states() == ["retired/unregistered:16", "suspect/breaker:18"])
        }
    }
}
