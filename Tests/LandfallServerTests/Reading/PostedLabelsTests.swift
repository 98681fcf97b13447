import Access
import Foundation
import HTTPTypes
import PostgresClient
import TestDatabase
import Testing

/// The further fields of an item: labels that cannot be read, times that contradict each other, names in
/// several spellings, secrets in words.
@Suite(.database) struct PostedLabelsTests {
    private var database: TestDatabase { .current }

    private func texts(_ query: String) async throws -> [String] {
        try await database.query(query) { try $0.get(0, as: String.self) }
    }

    private func arrival(_ id: Int, _ fields: String) -> String {
        #"{"type":"arrival","notification_id":"\#(notificationID(id))",\#(fields)}"#
    }

    @Test(
        "a label in the provider's spelling, or an unreadable one, does not keep a dead token in use"
    )
    func labels() async throws {
        try await TestServer.run { server async throws in
            for (number, (provider, verdict, label)) in [
                ("apns", #""status":410,"reason":"Unregistered""#, #""mutable_content":1"#),
                ("apns", #""status":410,"reason":"Unregistered""#, #""mutable_content":0"#),
                ("apns", #""status":410,"reason":"Unregistered""#, #""mutable_content":"true""#),
                ("fcm", #""status":404,"reason":"UNREGISTERED""#, #""priority":"high""#),
                ("fcm", #""status":404,"reason":"UNREGISTERED""#, #""priority":"HIGH""#),
                (
                    "apns", #""status":410,"reason":"Unregistered""#,
                    #""priority":true,"expires_at":"soon","collapse_id":[]"#
                ),
                (
                    "apns", #""status":410,"reason":"Unregistered""#,
                    #""timestamp":"yesterday","final":"maybe""#
                ),
                (
                    "apns", #""status":410,"reason":"Unregistered""#,
                    #""environment":"staging","token_kind":"banner""#
                ),
                (
                    "apns", #""status":410,"reason":"Unregistered""#,
                    #""campaign":"\#(String(repeating: "x", count: 256))""#
                ),
            ].enumerated() {
                let (app, keys) = try await TestServer.makeApp("case-\(number)")
                let posted = PostedResponse(server.with(keys: keys, app: app), provider)
                try await posted.introduce()
                let recorded = try await posted.post("\(verdict),\(label)")
                #expect(recorded.tokenState == "retired", "\(label): \(recorded)")
                #expect(recorded.warnings.contains("unread_field") == (number > 4), "\(label): \(recorded)")
            }
        }
        let priorities = try await texts(
            "SELECT DISTINCT priority FROM landfall.segment WHERE provider = 'fcm' AND priority <> ''")
        #expect(priorities == ["high"])
    }

    @Test(
        "a label of a registration that cannot be read costs nothing else",
        arguments: [
            (#""permission":"maybe""#, "permission"), (#""permission":true"#, "permission"),
            (#""language":["en"]"#, "language"), (#""settings":{"alert":"yes"}"#, "settings"),
            (#""registration_error":{"code":3010}"#, "registration_error"), (#""tags":"vip""#, "tags"),
            (#""model":"\#(String(repeating: "x", count: 256))""#, "model"),
            (#""registered_at":1772000000"#, "registered_at"),
        ])
    func registrationLabels(label: String, name: String) async throws {
        try await TestServer.run { server async throws in
            let token = #"{"value":"\#(tokenValue(1))","topic":"com.example.shop"}"#
            let response = try await server.put(
                UUID(), #"{"app_version":7.1,"tokens":[\#(token)],\#(label)}"#)
            #expect(response.changes == ["registered"])
            #expect(response.warningCodes == ["unread_field"])
            #expect(response.text.contains("\(name): the field could not be read"))
        }
        #expect(try await texts("SELECT app_version FROM landfall.installation") == ["7.1"])
    }

    @Test("words of browsers for the permission are understood, and numbers are names")
    func registrationWords() async throws {
        try await TestServer.run { server async throws in
            for (number, permission) in ["granted", "default", "notDetermined", "Authorized"].enumerated() {
                let body =
                    #"{"permission":"\#(permission)","os_version":\#(17 + number),"account":\#(42 + number)}"#
                #expect(try await server.put(UUID(), body, as: .server).warningCodes == [])
            }
            // A server that backfills must say when.
            let late = try await server.put(UUID(), #"{"registered_at":1772000000}"#, as: .server)
            #expect(late.code == "invalid_instant" && late.text.contains("registered_at"))
        }
        let words = try await texts(
            "SELECT concat_ws(' ', os_version, permission) FROM landfall.installation ORDER BY os_version")
        #expect(words == ["17 authorized", "18 not_determined", "19 not_determined", "20 authorized"])
        let accounts = try await texts("SELECT account FROM landfall.account_binding ORDER BY account")
        #expect(accounts == ["42", "43", "44", "45"])
    }

    @Test("a registration with a time finer than a millisecond counts")
    func fractions() async throws {
        try await TestServer.run { server async throws in
            let body =
                #"{"tokens":[{"value":"\#(PostedResponse.newToken("webpush"))","kind":"web_push","expires_at":1795424400000.5}]}"#
            #expect(try await server.put(UUID(), body).status == 200)
            let now = Instant.now.millisecondsSinceEpoch
            #expect(try await server.post(arrival(1, #""occurred_at":\#(now).25"#)).counts == [1, 0, 0])
        }
    }

    @Test("an arrival with an impossible time counts, timed by its receipt, marked and warned of")
    func impossibleTimes() async throws {
        try await TestServer.run { server async throws in
            let now = Instant.now.millisecondsSinceEpoch
            let later = now + 72_000_000
            for (number, (fields, code)) in [
                (#""occurred_at":\#(later),"reported_at":\#(now)"#, "impossible_time"),
                (#""occurred_at":\#(later)"#, "impossible_time"),
                (#""occurred_at":"2571-02-29T10:00:00Z""#, "unread_field"),
                (#""occurred_at":"٢٠٢٦-١١-٢٦T10:00:00Z""#, "unread_field"),
            ].enumerated() {
                let response = try await server.post(arrival(number, fields), as: .device)
                #expect(
                    response.counts == [1, 0, 0] && response.warnings.first?.hasPrefix(code) == true,
                    "\(response.text)")
            }
        }
        let after = try await database.query(
            "SELECT arrived_after_ms FROM landfall.delivery WHERE arrived_after_ms IS NOT NULL"
        ) { try $0.get(0, as: Int64.self) }
        #expect(after.count == 4 && after.allSatisfy { (0...3_600_000).contains($0) })
        #expect(
            try await database.count("SELECT count(*) FROM landfall.delivery WHERE timed_by_receipt <> 0")
                == 4)
    }

    @Test(
        "one name has one row, in every form and with any names in the server's memory, and filters find all of it"
    )
    func names() async throws {
        @Sendable func post(_ server: TestServer, _ campaigns: [String]) async throws {
            let posted = PostedResponse(server, "apns")
            for campaign in campaigns {
                _ = try await server.post(posted.item(#""status":200,"campaign":"\#(campaign)""#))
            }
        }
        let spellings = ["Caf\u{E9}", "Cafe\u{301}", "Cafe\u{301}"]
        try await TestServer.run { server async throws in
            try await post(server, spellings + ["spring", "spring ", "\tspring", "\u{FEFF}spring\u{200B}"])
        }
        // The second server has other names in memory.
        try await TestServer.run(app: "other") { other async throws in
            try await post(other, spellings)
            let (from, to) = ((Instant.now - .days(1)).rfc3339, (Instant.now + .days(1)).rfc3339)
            for campaign in ["Caf%C3%A9", "Cafe%CC%81", "%20Cafe%CC%81"] {
                let report = try await other.send(
                    .get, "/v1/reports/funnel?from=\(from)&to=\(to)&campaign=\(campaign)", as: .report)
                #expect(report.text.contains(#""attempted": 3"#), "\(report.text)")
            }
        }
        #expect(
            try await texts("SELECT key || ':' || count(*) FROM landfall.campaign GROUP BY key ORDER BY key")
                == ["Caf\u{E9}:2", "spring:1"])
    }

    @Test("a language has its current code, also if the device's version of Java returns a former one")
    func languages() async throws {
        try await TestServer.run { server async throws in
            for (number, language) in [
                "in", "id", "iw", "he", "ji", "yi", "in_ID", "id-ID", "id-ID-u-hc-h23", "he-x-a",
            ].enumerated() {
                let body =
                    #"{"language":"\#(language)","tokens":[{"value":"\#(tokenValue(number))","topic":"com.example.shop"}]}"#
                #expect(try await server.put(UUID(), body).status == 200)
                _ = try await server.post(
                    PostedResponse(server, "apns", token: tokenValue(number)).item(#""status":200"#))
            }
        }
        #expect(
            try await texts("SELECT DISTINCT language FROM landfall.segment ORDER BY language") == [
                "he", "id", "id-ID", "yi",
            ])
    }

    @Test("no device token inside a provider's words is recorded in the clear")
    func secrets() async throws {
        let secret = "my-own-phone-of-ada"
        try await TestServer.run { server async throws in
            // A token that looks like a word, known from another push.
            _ = try await server.post(PostedResponse(server, "hms", token: secret).item(#""status":200"#))
            let posted = PostedResponse(server, "webpush")
            for fields in [
                #""status":499,"reason":"cannot push to TOKEN, sorry""#,
                #""status":499,"error":{"message":"TOKEN is gone","url":"TOKEN"}"#,
                #""status":499,"reason":"no f1%3AAPA91bHun4MxP5egoKMwt2KZFBaFUH, and none at https:\\/\\/x.example\\/Ab1""#,
                #""status":499,"error":"Error: connect to https://push.example.com/sub/Ab1-Zx9 failed""#,
                #""status":499,"error":"token \#(tokenValue(7)) is unknown""#,
                #""status":499,"error":"<\#(String(repeating: "a1b2c3d4 ", count: 8)) is no token""#,
                #""status":499,"reason":"subscription cQ7hX2bT5fWk9:APA91bHun4MxP5egoKMwt2KZFBaFUH is invalid""#,
                #""status":499,"reason":"no route to \#(secret)!""#,
            ] {
                let recorded = try await posted.post(fields)
                let isHidden = recorded.reason.contains("[token]") || recorded.reason.contains("[endpoint]")
                #expect(
                    isHidden && !recorded.reason.contains("APA91b") && !recorded.reason.contains(secret),
                    "\(recorded)")
                #expect(
                    !recorded.reason.contains("a1b2c3d4") && !recorded.reason.contains("push.example.com"),
                    "\(recorded)")
                #expect(!recorded.reason.contains(posted.token.suffix(20)), "\(recorded)")
            }
            let long = try await posted.post(
                #""status":410,"reason":"\#(String(repeating: "gone ", count: 100))""#)
            #expect(
                long.outcomeClass == "token_dead" && long.reason.count == 255 && long.reason.hasSuffix("…"),
                "\(long)")
        }
    }

    @Test("an old 410 retires no token that was registered since, in the shapes of Node's libraries too")
    func oldDeaths() async throws {
        try await TestServer.run { server async throws in
            let old = (Instant.now - .days(3)).millisecondsSinceEpoch
            for (number, (fields, state)) in [
                (
                    #""error":{"device":"TOKEN","status":410,"response":{"reason":"Unregistered","timestamp":\#(old)}}"#,
                    "active"
                ),
                (
                    #""error":{"device":"TOKEN","status":"410","response":{"reason":"Unregistered","timestamp":"\#(old)"}}"#,
                    "active"
                ),
                (
                    #""status":410,"error":{"response":{"status":410,"data":{"reason":"Unregistered","timestamp":\#(old)}}}"#,
                    "active"
                ),
                (
                    #""status":410,"error":{"Reason":"Unregistered","Timestamp":"\#((Instant.now - .days(3)).rfc3339)"}"#,
                    "active"
                ),
                (#""status":410,"reason":"Unregistered","timestamp":\#(old / 1_000)"#, "active"),
                (#""error":{"device":"TOKEN","status":410,"response":{"reason":"Unregistered"}}"#, "retired"),
            ].enumerated() {
                let (app, keys) = try await TestServer.makeApp("case-\(number)")
                let posted = PostedResponse(server.with(keys: keys, app: app), "apns")
                try await posted.introduce()
                let recorded = try await posted.post(fields)
                #expect(
                    recorded.tokenState == state && recorded.outcomeClass == "token_dead",
                    "\(fields)\n→ \(recorded)")
            }
        }
    }

    @Test("the body decides whether lines are items, not the content type")
    func lines() async throws {
        @Sendable func item(_ number: Int) -> String { arrival(number, #""app_version":"1""#) }
        try await TestServer.run { server async throws in
            let ndjson = "application/x-ndjson"
            let pretty = item(1).replacing(",", with: ",\n  ").replacing("{", with: "{\n  ")
            for (body, type, counts) in [
                ("[\(item(2)),\n\(item(3))]", ndjson, [2, 0, 0]), (pretty, ndjson, [1, 0, 0]),
                ("\(item(4))\n{broken\n\(item(5))\n", "application/json", [2, 0, 1]),
                ("\(item(6))\n\(item(7))", "text/plain", [2, 0, 0]),
            ] {
                let response = try await server.post(body, headers: [.contentType: type])
                #expect(response.counts == counts, "\(body)\n\(response.text)")
            }
        }
    }

    @Test(
        "only servers have the provider's evidence; a sender's own channel is not reportable; development means sandbox"
    )
    func rights() async throws {
        try await TestServer.run { server async throws in
            let item = arrival(1, #""evidence":"provider""#)
            #expect(try await server.post(item, as: .device).code == "forbidden_evidence")
            #expect(try await server.post(item).counts == [1, 0, 0])
            _ = try await server.post(
                #"{"type":"response","notification_id":"\#(notificationID(2))","provider":"inapp","status":200,"device_id":"\#(UUID())"}"#
            )
            _ = try await server.post(
                PostedResponse(server, "apns").item(#""status":200,"environment":"development""#))
        }
        let sums = try await database.query(
            "SELECT coalesce(sum(accepted), 0)::bigint || ' ' || coalesce(sum(reportable), 0)::bigint FROM public.counted"
        ) { try $0.get(0, as: String.self) }
        #expect(sums == ["2 1"])
        #expect(try await texts("SELECT environment FROM landfall.token") == ["sandbox"])
    }
}
