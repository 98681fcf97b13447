import Access
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

/// One value is one token, under any topic, environment or provider name of a sender.
@Suite(.database) struct OneValueTests {
    private static let production = #""provider":"apns","topic":"com.example.shop""#

    @Test("thirty responses under a wrong topic make no second token, and each gets a warning")
    func wrongTopic() async throws {
        try await TestServer.run { server async throws in
            for number in 0..<30 { _ = try await server.put(UUID(), registration(tokenValue(number))) }
            for number in 0..<30 {
                let response = try await server.respond(
                    """
                    "provider":"apns","topic":"com.example.other","status":400,"reason":"DeviceTokenNotForTopic",\
                    "token":"\(tokenValue(number))"
                    """)
                #expect(response.warningCodes == ["other_topic"])
            }
            #expect(try await server.tokens().tokens.count == 30)
            #expect(try await server.audience() == 30)
        }
        let said =
            "SELECT sum(response_count)::bigint FROM landfall.token_other_address WHERE topic = 'com.example.other'"
        #expect(try await TestDatabase.current.count(said) == 30)
    }

    @Test(
        "responses in the other environment are kept with the registered token, and neither harm it nor list it twice"
    )
    func wrongEnvironment() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(UUID(), registration(tokenValue(1)))
            for answer in [
                #""status":200"#, #""status":400,"reason":"BadDeviceToken""#,
                #""status":410,"reason":"Unregistered""#,
            ] {
                let response = try await server.respond(
                    #""provider":"apns_sandbox","topic":"com.example.shop",\#(answer),"token":"\#(tokenValue(1))""#
                )
                #expect(response.warningCodes == ["other_environment"])
            }
            #expect(try await server.allValues("state=any") == [tokenValue(1)])
            #expect(try await server.states() == ["alert active"])
            // It was accepted in the other environment, so the rejections of its own do not retire it.
            for hours: Int64 in [1, 3, 5] {
                try await server.respond(
                    #"\#(Self.production),"status":400,"reason":"BadDeviceToken","token":"\#(tokenValue(1))""#,
                    sentAt: .now + .hours(hours))
            }
            #expect(try await server.tokens("state=retired").tokens.isEmpty)
        }
    }

    @Test(
        "a response under another bundle id says nothing about the token, one under a suffix of its own does")
    func bundles() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(UUID(), registration(tokenValue(1)))
            let dead = #""provider":"apns","status":410,"reason":"Unregistered","token":"\#(tokenValue(1))""#
            try await server.respond(dead + #","topic":"com.example.other""#)
            #expect(try await server.states() == ["alert active"])
            try await server.respond(dead + #","topic":"com.example.shop.voip""#)
            #expect(try await server.states() == ["alert retired/unregistered"])
        }
    }

    @Test(
        "a token that only responses knew leaves the feed when the value is registered under another address")
    func merged() async throws {
        try await TestServer.run { server async throws in
            try await server.respond(
                #""provider":"apns_sandbox","topic":"com.example.wrong","status":200,"token":"\#(tokenValue(1))""#
            )
            #expect(try await server.audience() == 1)
            _ = try await server.put(UUID(), registration(tokenValue(1)))
            #expect(try await server.tokens().tokens.map(\.environment) == ["production"])
            #expect(try await server.audience() == 1)
            #expect(try await server.states() == ["alert retired/merged", "alert active"])
            // A sender that follows the changes gets the registration last.
            #expect(
                try await server.changes(after: 0).changes.map(\.rule) == [
                    "discovered", "merged", "registered",
                ])
            try await server.respond(
                #""provider":"apns_sandbox","topic":"com.example.wrong","status":200,"token":"\#(tokenValue(1))""#
            )
            #expect(try await server.audience() == 1)
        }
    }

    @Test(
        "of a value that two apps share, a response without a topic harms neither, and says that it is unclear"
    )
    func ambiguous() async throws {
        try await TestServer.run { server async throws in
            for topic in ["com.example.one", "com.example.two"] {
                _ = try await server.put(UUID(), #"{"tokens":[\#(listed(tokenValue(1), topic: topic))]}"#)
            }
            let dead = #""provider":"apns","status":410,"reason":"Unregistered","token":"\#(tokenValue(1))""#
            #expect(try await server.respond(dead).warningCodes == ["ambiguous_token"])
            #expect(try await server.states() == ["alert active", "alert active"])
            #expect(try await server.respond(dead + #","topic":"com.example.one""#).warningCodes == [])
            #expect(try await server.states() == ["alert retired/unregistered", "alert active"])
        }
    }

    @Test(
        "a value registered under another provider's name is still that token, and dies",
        arguments: [("sns", "hms", "80300007"), ("xiaomi", "oppo", "10000")])
    func otherProvider(kind: String, provider: String, code: String) async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(UUID(), #"{"tokens":[\#(listed("REGID-1", kind))]}"#)
            let response = try await server.respond(
                #""provider":"\#(provider)","status":200,"reason":"\#(code)","token":"REGID-1""#)
            #expect(response.warningCodes.contains("other_topic"))
            #expect(try await server.tokens("state=any").tokens.count == 1)
        }
    }

    @Test("a message sent under another address is the device's once it registers the value")
    func waitingMessage() async throws {
        try await TestServer.run { server async throws in
            let message = """
                {"type":"response","message_id":"\(notificationID(1))","provider":"apns","status":200,\
                "topic":"com.example.other","token":"\(tokenValue(1))"}
                """
            #expect(try await server.post(message).counts == [1, 0, 0])
            _ = try await server.put(UUID(), registration(tokenValue(1)))
        }
        let waiting = "SELECT count(*) FROM landfall.message_recipient WHERE installation_id IS NULL"
        #expect(try await TestDatabase.current.count(waiting) == 0)
    }

    @Test("a token that a response adds while an app registers its value is merged by the later of the two")
    func stray() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(UUID(), registration(tokenValue(1)))
        }
        let database = TestDatabase.current
        // What a response adds that saw no registration, after the registration saw no response.
        try await database.execute(
            """
            INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value, state,
                                        first_seen_at, last_sign_of_life_at, state_changed_at)
            SELECT app_id, provider, environment, 'com.example.other', fingerprint, kind, sealed_value, state,
                   first_seen_at, last_sign_of_life_at, state_changed_at
              FROM landfall.token
            """)
        try await database.pool.withConnection { connection in
            let ids = try connection.query(
                SQLFile(name: "test/ids", text: "SELECT token_id FROM landfall.token ORDER BY token_id")
            ).column("token_id", as: Int64.self)
            for id in ids {
                // Whichever is asked about: only the first finds it.
                #expect(try StrayTokens.merge([id], now: .now, on: connection) == (id == ids[0]))
            }
        }
        let merged =
            "SELECT count(*) FROM landfall.token WHERE cause = 'merged' AND installation_id IS NOT NULL"
        #expect(try await database.count(merged) == 1)
    }

    @Test(
        "the breaker guards tokens that a server key just registered, but not those of the device key"
    )
    func breaker() async throws {
        try await TestServer.run { server async throws in
            for (kind, first) in [(.server, 0), (.device, 1_000)] as [(APIKey.Kind, Int)] {
                for number in 0..<60 {
                    let topic = kind == .server ? "com.example.server" : "com.example.device"
                    let body = #"{"tokens":[\#(listed(tokenValue(first + number), topic: topic))]}"#
                    _ = try await server.put(UUID(), body, as: kind)
                }
            }
            for (topic, first) in [("com.example.server", 0), ("com.example.device", 1_000)] {
                let lines = (0..<60).map { number in
                    """
                    {"type":"response","notification_id":"\(UUID())","sent_at":\(Instant.now.millisecondsSinceEpoch),\
                    "provider":"apns","status":410,"reason":"Unregistered","topic":"\(topic)",\
                    "token":"\(tokenValue(first + number))"}
                    """
                }
                _ = try await server.post(lines.joined(separator: "\n"))
            }
        }
        let retired = try await TestDatabase.current.query(
            "SELECT topic || ' ' || count(*) FROM landfall.token WHERE state = 'retired' GROUP BY topic ORDER BY topic"
        ) { try $0.get(0, as: String.self) }
        #expect(retired == ["com.example.device 60", "com.example.server 20"])
    }
}
