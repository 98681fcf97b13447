import Foundation
import PostgresClient
import TestDatabase
import Testing

/// The values and spellings that the server accepts as tokens, in registrations and responses.
@Suite(.database) struct TokenValueEndpointTests {
    @Test("both paths of an FCM endpoint are one subscription, and the feed returns the registered one")
    func endpoints() async throws {
        let id = String(repeating: "aB3_", count: 36)
        let (stored, reported) = (
            "https://fcm.googleapis.com/fcm/send/\(id)", "https://fcm.googleapis.com/wp/\(id)"
        )
        try await TestServer.run { server async throws in
            _ = try await server.put(UUID(), #"{"tokens":[\#(listed(stored, "web_push"))]}"#)
            let push = #""provider":"webpush","topic":"com.example.shop","token":"\#(reported)""#
            #expect(try await server.respond(push + #","status":201"#).warningCodes == [])
            #expect(try await server.audience() == 1)
            #expect(try await server.allValues() == [stored])
            try await server.respond(push + #","status":410"#)
            #expect(try await server.states() == ["web_push retired/unregistered"])
        }
    }

    @Test("the case of percent-encoded digits does not matter, but decoding them does")
    func percentEncoding() async throws {
        let start = "https://wns2-db5p.notify.windows.com/w/?token=BQYAAAD"
        try await TestServer.run { server async throws in
            _ = try await server.put(UUID(), #"{"tokens":[\#(listed(start + "%2f5NvY%2bQ", "web_push"))]}"#)
            let gone = #""provider":"webpush","status":410,"topic":"com.example.shop","token":"\#(start)"#
            #expect(try await server.respond(gone + #"/5NvY+Q""#).warningCodes == ["unregistered_token"])
            #expect(try await server.states().first == "web_push active")
            try await server.respond(gone + #"%2F5NvY%2BQ""#)
            #expect(try await server.states().first == "web_push retired/unregistered")
        }
    }

    @Test(
        "words for a missing value register nothing, and the rest of what the app says is kept",
        arguments: [
            "BLACKLISTED", "null", "undefined", "(null)", "nil", "unknown", "none", "0", "<null>", "N/A",
            "Optional(nil)",
        ])
    func absences(word: String) async throws {
        try await TestServer.run { server async throws in
            for _ in 0..<3 {
                let response = try await server.put(
                    UUID(),
                    #"{"app_version":"7.1.0","tokens":[\#(listed(word, "fcm")),\#(listed("fcm:\(UUID())x", "fcm"))]}"#
                )
                #expect(response.status == 200)
                #expect(response.itemErrors == ["0:invalid_value"])
                #expect(response.changes == ["registered"])
            }
        }
        let known = "SELECT count(*) FROM landfall.installation WHERE app_version = '7.1.0'"
        #expect(try await TestDatabase.current.count(known) == 3)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.token") == 3)
    }

    @Test(
        "a value of another kind is rejected with what to change",
        arguments: [
            ("fcm", "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwcyJ9.c2lnbmF0dXJl", "JSON Web Token"),
            ("fcm", String(repeating: "a1b2c3d4", count: 8), "kind alert"),
            ("fcm", "user@example.com", "e-mail"),
            ("fcm", "+4930123456", "telephone"),
            ("fcm", "ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", "kind expo"),
            ("fcm", "https://fcm.googleapis.com/fcm/send/abc", "kind web_push"),
            ("hms", "user@example.com", "e-mail"),
            ("web_push", "https://permanently-removed.invalid/fcm/send/abc", "subscribe again"),
            ("web_push", "abc", "PushSubscription.endpoint"),
            ("alert", "{length=32,bytes=0x01a066cd…c96abee0}", "hex"),
            ("alert", "ErrorDomain=NSCocoaErrorDomainCode=3010", "hex"), ("alert", "abc", "hex"),
            ("alert", String(repeating: "0", count: 64), "placeholder"),
        ])
    func foreign(kind: String, value: String, advice: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await server.put(UUID(), #"{"tokens":[\#(listed(value, kind))]}"#)
            #expect(response.itemErrors == ["0:invalid_value"])
            #expect(response.text.contains(advice), "\(response.text)")
        }
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.token") == 0)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.installation") == 1)
    }

    @Test("a description of data in full is read as its hex digits")
    func description() async throws {
        let groups = Array(repeating: "a1b2c3d4", count: 8)
        try await TestServer.run { server async throws in
            let body = #"{"tokens":[\#(listed("<\(groups.joined(separator: " "))>"))]}"#
            #expect(try await server.put(UUID(), body).changes == ["registered"])
            #expect(try await server.allValues() == [groups.joined()])
        }
    }

    @Test("the same word is rejected in a response, unless the provider rejected it as well")
    func responses() async throws {
        try await TestServer.run { server async throws in
            let push = #""provider":"fcm","token":"BLACKLISTED""#
            #expect(try await server.respond(push + #","status":200"#).code == "invalid_token")
            #expect(
                try await server.respond(push + #","status":400,"reason":"INVALID_ARGUMENT""#).counts == [
                    1, 0, 0,
                ])
        }
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.token") == 0)
    }

    @Test("a token of a topic that shows nothing is not in the audience, whatever kind the app names")
    func kindOfTopic() async throws {
        try await TestServer.run { server async throws in
            let body = """
                {"tokens":[{"value":"\(tokenValue(1))","topic":"com.example.shop.voip"},\
                \(listed(tokenValue(2), "alert", topic: "com.example.shop.push-type.widgets"))]}
                """
            #expect(try await server.put(UUID(), body).changes == ["registered", "registered"])
            #expect(try await server.audience() == 0)
        }
    }

    @Test("a kind that names the environment means it, and must not contradict the other field")
    func environmentInKind() async throws {
        try await TestServer.run { server async throws in
            let body =
                #"{"tokens":[\#(listed(tokenValue(1), "apns_sandbox")),\#(listed(tokenValue(2), "ios-dev", also: #","environment":"production""#))]}"#
            let response = try await server.put(UUID(), body)
            #expect(response.itemErrors == ["1:invalid_field"])
        }
        let environments = try await TestDatabase.current.query("SELECT environment FROM landfall.token") {
            try $0.get(0, as: String.self)
        }
        #expect(environments == ["sandbox"])
    }

    @Test("a part of a token that cannot be read costs only that part")
    func parts() async throws {
        try await TestServer.run { server async throws in
            let body = """
                {"tokens":[\(listed(tokenValue(1), also: #","expires_at":"tomorrow""#)),{"value":7},\(listed("x1", "nope")),\
                {"value":"aa","environment":"moon"},{"kind":"alert"},\
                \(listed(tokenValue(2), "voip"))]}
                """
            let response = try await server.put(UUID(), body)
            #expect(response.changes == ["registered", "registered"])
            #expect(response.itemErrors == (1...4).map { "\($0):invalid_field" })
            #expect(response.warningCodes == ["invalid_instant"])
        }
    }

    @Test(
        "every provider's tokens can be registered, exist once, and are in the audience",
        arguments: [
            "expo", "hms", "xiaomi", "oppo", "vivo", "honor", "onesignal", "customerio", "sns", "huawei",
            "fid",
        ])
    func kinds(kind: String) async throws {
        let provider = kind == "fid" ? "fcm" : kind
        try await TestServer.run { server async throws in
            let body = #"{"tokens":[\#(listed("cW9vZ3k6_T1-\(kind)", kind))]}"#
            #expect(try await server.put(UUID(), body).changes == ["registered"])
            let response = try await server.respond(
                #""provider":"\#(provider)","status":503,"topic":"com.example.shop","token":"cW9vZ3k6_T1-\#(kind)""#
            )
            #expect(!response.warningCodes.contains("unregistered_token"))
            #expect(try await server.tokens("state=any").tokens.count == 1)
            #expect(try await server.audience() == 1)
        }
    }

    @Test(
        "tokens for pushes that show nothing are not in the audience, and retire as usual",
        arguments: [
            ("widgets", ".push-type.widgets", "widget"), ("pushtotalk", ".voip-ptt", "push_to_talk"),
            ("complication", ".complication", "complication"),
            ("fileprovider", ".pushkit.fileprovider", "file_provider"),
            ("location", ".location-query", "location"), ("controls", ".push-type.controls", "control"),
            ("mdm", "", "mdm"),
            ("of_tomorrow", "", "other"), ("alert", ".push-type.widgets", "widget"),
        ])
    func silentKinds(pushType: String, suffix: String, kind: String) async throws {
        try await TestServer.run { server async throws in
            let push =
                #""provider":"apns","push_type":"\#(pushType)","topic":"com.example.shop\#(suffix)","token":"\#(tokenValue(1))""#
            try await server.respond(push + #","status":200"#, sentAt: .now - .minutes(1))
            #expect(try await server.audience() == 0)
            #expect(try await server.states() == ["\(kind) active"])
            try await server.respond(push + #","status":410,"reason":"Unregistered""#)
            #expect(try await server.states() == ["\(kind) retired/unregistered"])
        }
    }
}
