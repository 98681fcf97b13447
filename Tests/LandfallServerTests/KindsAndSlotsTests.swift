import Foundation
import Hummingbird
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

@Suite(.database) struct KindsAndSlotsTests {
    private let phone = UUID()

    private func body(_ tokens: String...) -> String { #"{"tokens":[\#(tokens.joined(separator: ","))]}"# }

    private func token(_ value: String, _ kind: String, also fields: String = "") -> String {
        #"{"value":"\#(value)","kind":"\#(kind)","topic":"com.example.shop"\#(fields)}"#
    }

    private func states() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT kind || ':' || environment || ':' || state FROM landfall.token ORDER BY token_id"
        ) { try $0.get(0, as: String.self) }
    }

    @Test("one installation holds a token of each kind at the same time, each of its provider")
    func everyKind() async throws {
        let all = body(
            token(tokenValue(1), "alert"), token(tokenValue(2), "voip"),
            token(tokenValue(3), "live_activity_start"), token(tokenValue(4), "live_activity_update"),
            token("https://push.example.com/sub/Ab-1", "web_push"), token("fcm:APA91bH_x-Y", "fcm"))
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, all).changes == Array(repeating: "registered", count: 6))
            #expect(try await server.put(phone, all).changes == Array(repeating: "refreshed", count: 6))
            let tokens = try await server.tokens().tokens
            #expect(
                tokens.map { "\($0.kind) \($0.provider)" }.sorted() == [
                    "alert apns", "fcm fcm", "live_activity_start apns", "live_activity_update apns",
                    "voip apns",
                    "web_push webpush",
                ])
        }
    }

    @Test("a new value rotates only its own slot")
    func rotatesItsSlot() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, body(token(tokenValue(1), "alert"), token(tokenValue(2), "voip")))
            let changes = try await server.put(
                phone, body(token(tokenValue(3), "alert"), token(tokenValue(2), "voip"))
            ).changes
            #expect(changes == ["rotated", "refreshed"])
        }
        #expect(
            try await states().sorted() == [
                "alert:production:active", "alert:production:retired", "voip:production:active",
            ])
    }

    @Test("sandbox and production have separate slots, even for the same value")
    func environments() async throws {
        let both = body(
            token(tokenValue(1), "alert"), token(tokenValue(1), "alert", also: #","environment":"sandbox""#))
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, both).changes == ["registered", "registered"])
            #expect(try await server.put(phone, both).changes == ["refreshed", "refreshed"])
            #expect(Set(try await server.tokens().tokens.map(\.environment)) == ["production", "sandbox"])
        }
    }

    @Test(
        "an APNs value of any length is one token, whatever the case of its hex",
        arguments: [2, 64, 160, 1_024])
    func hexLengths(length: Int) async throws {
        let value = String(repeating: "aF", count: length / 2)
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, body(token(value, "alert"))).changes == ["registered"])
            for other in [value.uppercased(), value.lowercased()] {
                #expect(try await server.put(phone, body(token(other, "alert"))).changes == ["refreshed"])
            }
            // As it was spelled first: two callers that differ would otherwise change it at each visit.
            #expect(try await server.allValues() == [value])
            let odd = try await server.put(phone, body(token(value + "a", "alert")))
            #expect(odd.itemErrors == ["0:invalid_value"])
        }
    }

    @Test(
        "FCM and Web Push values are text, and their case counts",
        arguments: [
            ("fcm", "fMEP0vJqS0:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx_Aa"), ("fcm", "cX1-2_aBcDeFgHiJkLmNoP"),
            ("web_push", "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABx?a=b&c=%20"),
        ])
    func textValues(kind: String, value: String) async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, body(token(value, kind))).changes == ["registered"])
            #expect(try await server.allValues() == [value])
            #expect(try await server.put(phone, body(token(value.uppercased(), kind))).changes == ["rotated"])
            #expect(try await server.allValues() == [value.uppercased()])
        }
    }

    @Test("an expired Live Activity token is left out of feeds, and the next check-in retires it")
    func expiry() async throws {
        let soon = Instant.now + .hours(1)
        let update = token(tokenValue(1), "live_activity_update", also: #","expires_at":"\#(soon.rfc3339)""#)
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, body(update, token(tokenValue(2), "alert")))
            let given = try await server.tokens().tokens
            #expect(given.first { $0.kind == "live_activity_update" }?.expiresAt == soon.rfc3339)
            try await TestDatabase.current.execute(
                "UPDATE landfall.token SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL"
            )
            #expect(try await server.allValues() == [tokenValue(2)])
            let before = try await server.tokens().changesAfter
            _ = try await server.put(phone, #"{"tokens":[]}"#)
            #expect(try await server.changes(after: before).changes.map(\.rule) == ["expired"])
            // The same value with a new expiry is active again.
            #expect(try await server.put(phone, body(update)).changes == ["revived"])
            #expect(Set(try await server.allValues()) == [tokenValue(1), tokenValue(2)])
        }
        let kept = "SELECT count(*) FROM landfall.token WHERE sealed_value IS NULL"
        #expect(try await TestDatabase.current.count(kept) == 0)
    }

    @Test("a value registered again without an expiry no longer has one")
    func expiryIsTakenBack() async throws {
        let soon = Instant.now + .hours(1)
        try await TestServer.run { server async throws in
            _ = try await server.put(
                phone,
                body(
                    token(
                        tokenValue(1), "live_activity_update",
                        also: #","expires_at":\#(soon.millisecondsSinceEpoch)"#)))
            _ = try await server.put(phone, body(token(tokenValue(1), "live_activity_update")))
            #expect(try await server.tokens().tokens.map(\.expiresAt) == [nil])
            let wrong = body(token(tokenValue(1), "alert", also: #","expires_at":"tomorrow""#))
            #expect(try await server.put(phone, wrong).warningCodes == ["invalid_instant"])
            let seconds = body(token(tokenValue(1), "alert", also: #","expires_at":1795424400"#))
            #expect(try await server.put(phone, seconds).warningCodes == ["invalid_instant"])
        }
    }
}
