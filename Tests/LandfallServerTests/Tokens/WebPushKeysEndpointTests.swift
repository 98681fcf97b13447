import Access
import Basics
import DeliveryModel
import Foundation
import HTTPTypes
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

/// The keys of Web Push subscriptions, from the browser to the sender.
@Suite(.database) struct WebPushKeysEndpointTests {
    private static let endpoint = "https://push.example.com/send/\(String(repeating: "aB3_", count: 20))"
    /// The keys of RFC 8291, section 5, and another public key of the same section.
    private static let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let otherPoint =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    private static func token(_ keys: String, _ endpoint: String = endpoint) -> String {
        #"{"platform":"web","tokens":[{"kind":"web_push","value":"\#(endpoint)"\#(keys)}]}"#
    }

    private static func keys(_ point: String = point, _ secret: String = secret) -> String {
        #","p256dh":"\#(point)","auth":"\#(secret)""#
    }

    /// What `JSON.stringify(subscription)` writes in a browser.
    private static func subscription(expires: String = "null") -> String {
        """
        {"platform":"web","tokens":[{"endpoint":"\(endpoint)","expirationTime":\(expires),
         "keys":{"p256dh":"\(point)","auth":"\(secret)"}}]}
        """
    }

    @Test("a browser's subscription is a token as it comes, and both feeds return its keys")
    func subscription() async throws {
        try await TestServer.run { server async throws in
            let response = try await server.put(UUID(), Self.subscription(expires: "4102444800000.5"))
            #expect(response.changes == ["registered"])
            #expect(response.warnings == [])
            let token = try #require(try await server.tokens().tokens.first)
            #expect([token.kind, token.provider, token.value] == ["web_push", "webpush", Self.endpoint])
            #expect([token.p256dh, token.auth] == [Self.point, Self.secret])
            #expect(token.expiresAt?.hasPrefix("2100-01-01T00:00:00") == true)
            let change = try #require(try await server.changes().changes.first)
            #expect([change.p256dh, change.auth] == [Self.point, Self.secret])
        }
    }

    @Test(
        "keys are read in every spelling of base64, and returned in the browser's",
        arguments: [
            keys(), #","keys":{"p256dh":"\#(point)","auth":"\#(secret)"}"#, keys(point + "=", secret + "=="),
            keys() + #","keys":null"#,
            keys(
                point.replacing("-", with: "+").replacing("_", with: "/") + "=",
                secret.replacing("_", with: "/")),
        ])
    func spellings(keys: String) async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.put(UUID(), Self.token(keys)).warnings == [])
            let token = try #require(try await server.tokens().tokens.first)
            #expect([token.p256dh, token.auth] == [Self.point, Self.secret])
        }
    }

    @Test(
        "a wrong key costs only the keys, and a warning says what they must be",
        arguments: [
            (keys("AAAA"), "65 bytes"), (keys(String(point.dropLast(4)) + "AAAA"), "65 bytes"),
            (keys(point, "AAAA"), "16 bytes"), (#","p256dh":"\#(point)""#, "send both"),
            (#","p256dh":17,"auth":"\#(secret)""#, "both text"), (#","keys":"none""#, "both text"),
        ])
    func wrongKeys(keys: String, advice: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await server.put(UUID(), Self.token(keys))
            #expect(response.status == 200)
            #expect(response.changes == ["registered"])
            #expect(response.warnings.count == 1)
            #expect(response.warnings.first?.hasPrefix("invalid_keys: ") == true)
            #expect(response.warnings.first?.contains(advice) == true)
            #expect(response.text.contains(Self.point) == false)
            let token = try #require(try await server.tokens().tokens.first)
            #expect(token.value == Self.endpoint)
            #expect(token.p256dh == nil)
        }
    }

    @Test("keys of a token that is no subscription are left out")
    func otherKind() async throws {
        let body = #"{"tokens":[{"kind":"alert","value":"\#(tokenValue(1))"\#(Self.keys())}]}"#
        try await TestServer.run { server async throws in
            let response = try await server.put(UUID(), body)
            #expect(response.changes == ["registered"])
            #expect(response.warnings.first?.hasPrefix("invalid_keys: only tokens of kind web_push") == true)
            #expect(try await server.tokens().tokens.first?.p256dh == nil)
        }
    }

    @Test(
        "new keys replace the known ones and are a change in the feed; a registration without keys keeps them"
    )
    func rotation() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, Self.token(""))
            #expect(try await server.tokens().tokens.first?.p256dh == nil)
            for (point, rows) in [(Self.point, 2), (Self.point, 2), (Self.otherPoint, 3)] {
                #expect(try await server.put(phone, Self.token(Self.keys(point))).changes == ["refreshed"])
                #expect(try await server.tokens().tokens.first?.p256dh == point)
                let changes = try await server.changes().changes
                #expect(changes.count == rows)
                #expect(changes.last?.rule == "registered")
                #expect(changes.last?.p256dh == point)
            }
            _ = try await server.put(phone, Self.token(""))
            _ = try await server.put(phone, Self.token(Self.keys("wrong")))
            #expect(try await server.tokens().tokens.first?.p256dh == Self.otherPoint)
            #expect(try await server.changes().changes.count == 3)
            #expect(try await server.audience() == 1)
        }
    }

    @Test(
        "a subscription without keys, or with null for them, is no mistake",
        arguments: ["", #","keys":null"#])
    func withoutKeys(keys: String) async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.put(UUID(), Self.token(keys)).warnings == [])
            #expect(try await server.tokens().tokens.map(\.p256dh) == [nil])
        }
    }

    @Test("a subscription that the list repeats keeps its keys, whichever of the two has them")
    func repeated() async throws {
        let items = [
            #"{"kind":"web_push","value":"\#(Self.endpoint)"}"#,
            #"{"kind":"web_push","value":"\#(Self.endpoint)"\#(Self.keys())}"#,
        ]
        try await TestServer.run { server async throws in
            for list in [items, items.reversed()] {
                let body = #"{"platform":"web","tokens":[\#(list.joined(separator: ","))]}"#
                #expect(try await server.put(UUID(), body).changes.count == 1)
                #expect(try await server.tokens().tokens.map(\.p256dh) == [Self.point])
            }
        }
    }

    @Test("an endpoint may have 2,048 bytes, and another token 1,024")
    func lengths() async throws {
        let longest = "https://push.example.com/" + String(repeating: "x", count: 2_048 - 25)
        try await TestServer.run { server async throws in
            let phone = UUID()
            #expect(try await server.put(phone, Self.token(Self.keys(), longest)).changes == ["registered"])
            #expect(try await server.allValues() == [longest])
            let tooLong = try await server.put(UUID(), Self.token(Self.keys(), longest + "x"))
            #expect(tooLong.itemErrors == ["0:invalid_value"])
            let ofFCM = String(repeating: "f", count: 1_020) + ":xyzw"
            let other = try await server.put(UUID(), registration(ofFCM, kind: "fcm"))
            #expect(other.itemErrors == ["0:invalid_value"])
        }
    }

    @Test("keys are gone with the value of a token that was swept")
    func sweep() async throws {
        let kept = "SELECT count(*) FROM landfall.token WHERE sealed_keys IS NOT NULL"
        try await TestServer.run { server async throws in
            _ = try await server.put(UUID(), Self.token(Self.keys()))
            var rules = SweepRules()
            rules.maxShare = 1
            for days in [Int64(100), 200] {
                let now = Instant.now + .days(days)
                try await TestDatabase.current.pool.withConnection { [rules] connection in
                    try connection.transaction {
                        SignsOfLife().hear(fromApps: [server.app.appID: now], on: connection)
                    }
                    _ = try Sweep(appID: server.app.appID, on: connection).apply(rules, now: now)
                }
                #expect(try await TestDatabase.current.count(kept) == (days == 100 ? 1 : 0))
            }
            let swept = try #require(try await server.changes().changes.last)
            #expect(swept.rule == "swept")
            #expect([swept.value, swept.p256dh, swept.auth] == [nil, nil, nil])
        }
    }

    @Test("keys are stored sealed, and erased with the installation")
    func erasure() async throws {
        let phone = UUID()
        let kept = "SELECT count(*) FROM landfall.token WHERE sealed_keys IS NOT NULL"
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, Self.token(Self.keys()))
            #expect(try await TestDatabase.current.count(kept) == 1)
            let bytes = try #require(Data(base64Encoded: Self.secret.replacing("_", with: "/") + "=="))
            let plain = bytes.map { String(format: "%02x", $0) }.joined()
            for spelling in [plain, Self.point, Self.secret] {
                let found = try await TestDatabase.current.count(
                    "SELECT count(*) FROM landfall.token AS row WHERE row::text LIKE '%\(spelling)%'")
                #expect(found == 0)
            }
            #expect(try await server.send(.delete, "/v1/devices/\(phone)", as: .server).status == 200)
            #expect(try await TestDatabase.current.count(kept) == 0)
            let erased = try #require(try await server.changes().changes.last)
            #expect(erased.rule == "erased")
            #expect([erased.value, erased.p256dh, erased.auth] == [nil, nil, nil])
        }
    }

    @Test("keys that have expired with their subscription are gone")
    func expiry() async throws {
        let phone = UUID()
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, Self.subscription(expires: "1600000000000"))
            _ = try await server.put(phone, #"{"platform":"web"}"#)
        }
        let kept = "SELECT count(*) FROM landfall.token WHERE sealed_keys IS NOT NULL"
        #expect(try await TestDatabase.current.count(kept) == 0)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.token") == 1)
    }
}
