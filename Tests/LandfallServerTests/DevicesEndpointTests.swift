import Access
import Foundation
import Hummingbird
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct DevicesEndpointTests {
    private let phone = UUID()
    private let otherPhone = UUID()

    private func tokens(_ numbers: Int...) -> String {
        let list = numbers.map { #"{"value":"\#(tokenValue($0))","topic":"com.example.shop"}"# }
        return #"{"platform":"ios","permission":"authorized","tokens":[\#(list.joined(separator: ","))]}"#
    }

    /// The state/cause of each token, in the order in which they became known.
    private func states() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT state || coalesce('/' || cause, '') FROM landfall.token ORDER BY token_id"
        ) { try $0.get(0, as: String.self) }
    }

    /// The rules in the ledger, in order.
    private func ledger() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT rule FROM landfall.token_transition ORDER BY transition_id"
        ) { try $0.get(0, as: String.self) }
    }

    private func unregistered(
        _ number: Int, token: Int, at timestamp: Instant, sentAt: Instant = sendTime
    ) -> String {
        """
        {"type":"response","notification_id":"\(notificationID(number, at: sentAt))","provider":"apns","status":410,\
        "reason":"Unregistered","timestamp":\(timestamp.millisecondsSinceEpoch),"token":"\(tokenValue(token))",\
        "topic":"com.example.shop"}
        """
    }

    @Test("a value is registered, refreshed, rotated and revived, and the ledger records it")
    func life() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, tokens(1)).changes == ["registered"])
            #expect(try await server.put(phone, tokens(1)).changes == ["refreshed"])
            #expect(try await server.put(phone, tokens(2)).changes == ["rotated"])
            #expect(try await states() == ["retired/rotated", "active"])
            #expect(try await server.put(phone, #"{"tokens":[]}"#).changes == [])
            _ = try await server.post(
                unregistered(1, token: 2, at: .now + .seconds(5), sentAt: .now + .seconds(5)))
            #expect(try await states() == ["retired/rotated", "retired/unregistered"])
            #expect(try await server.put(phone, tokens(2)).changes == ["revived"])
        }
        #expect(try await states() == ["retired/rotated", "active"])
        #expect(try await ledger() == ["registered", "registered", "rotated", "unregistered", "revived"])
    }

    @Test(
        "a device id in a form other than RFC 9562's is rejected, so no device has two",
        arguments: [
            "+19d0000-8b86-4011-b42d-00cf4fc964ff", "%2B19d0000-8b86-4011-b42d-00cf4fc964ff",
            "6f9619ff-8b86-4011-b42d-+0cf4fc964ff", "%206f9619f-8b86-4011-b42d-00cf4fc964ff",
            "%36f9619ff-8b86-4011-b42d-00cf4fc964ff", "0x9619ff-8b86-4011-b42d-00cf4fc964ff",
            "6f9619ff8b864011b42d00cf4fc964ff", "..",
        ])
    func strictDeviceID(id: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await server.send(.put, "/v1/devices/\(id)", Array("{}".utf8), as: .device)
            #expect(response.status == 422)
            #expect(response.code == "invalid_device_id")
            #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.installation") == 0)
        }
    }

    @Test("breakdowns use a device's latest description, from a check-in or from taking over a token")
    func traits() async throws {
        @Sendable func accepted(_ number: Int) -> String {
            """
            {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
            "token":"\(tokenValue(1))","topic":"com.example.shop"}
            """
        }
        @Sendable func body(_ version: String) -> String {
            tokens(1).replacingOccurrences(
                of: #"{"platform""#, with: #"{"app_version":"\#(version)","platform""#)
        }
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, body("1"))
            #expect(try await server.post(accepted(1)).counts == [1, 0, 0])
            _ = try await server.put(phone, #"{"app_version":"2","tokens":[]}"#)
            #expect(try await server.post(accepted(2)).counts == [1, 0, 0])
            _ = try await server.put(otherPhone, body("3"))
            #expect(try await server.post(accepted(3)).counts == [1, 0, 0])
        }
        let versions = try await TestDatabase.current.query(
            """
            SELECT app_version FROM landfall.delivery JOIN landfall.segment USING (segment_id)
            ORDER BY notification_id
            """
        ) { try $0.get(0, as: String.self) }
        #expect(versions == ["1", "2", "3"])
    }

    @Test("hex in either case is one token")
    func oneSpelling() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, tokens(1)).changes == ["registered"])
            let upper = tokens(1).replacingOccurrences(of: tokenValue(1), with: tokenValue(1).uppercased())
            #expect(try await server.put(phone, upper).changes == ["refreshed"])
        }
        #expect(try await states() == ["active"])
    }

    @Test("a value that another installation registers moves there")
    func transferred() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, tokens(1))
            #expect(try await server.put(otherPhone, tokens(1)).changes == ["transferred"])
            #expect(try await server.put(phone, tokens(2)).changes == ["registered"])
        }
        #expect(try await states() == ["active", "active"])
        let owners = try await TestDatabase.current.count(
            "SELECT count(DISTINCT installation_id) FROM landfall.token")
        #expect(owners == 2)
    }

    @Test("a 410 from before the last registration is ignored, and the ledger says so")
    func late410() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, tokens(1))
            _ = try await server.post(unregistered(1, token: 1, at: .now - .hours(1)))
        }
        #expect(try await states() == ["active"])
        #expect(try await ledger() == ["registered", "late_410_ignored"])
    }

    @Test("repeating a 410 writes the ledger once")
    func repeated410() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, tokens(1))
            let body = unregistered(1, token: 1, at: .now - .hours(1))
            for _ in 1...3 { _ = try await server.post(body) }
        }
        #expect(try await ledger() == ["registered", "late_410_ignored"])
    }

    @Test("a response about an unregistered token makes it known, and a registration takes it over")
    func discovered() async throws {
        try await TestServer.run { server async throws in
            let body = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))"}
                """
            #expect(try await server.post(body).counts == [1, 0, 0])
            #expect(try await states() == ["active"])
            #expect(try await server.put(phone, tokens(1)).changes == ["registered"])
        }
        #expect(try await states() == ["active"])
        #expect(try await ledger() == ["discovered", "registered"])
    }

    @Test("a value is one token with and without its topic, whichever comes first")
    func topics() async throws {
        let without = tokens(1).replacingOccurrences(of: #","topic":"com.example.shop""#, with: "")
        try await TestServer.run { server async throws in
            _ = try await server.post(unregistered(1, token: 1, at: .now - .days(9)))
            #expect(try await server.put(phone, without).changes == ["revived"])
            #expect(try await server.put(phone, tokens(1)).changes == ["refreshed"])
        }
        #expect(try await states() == ["active"])
    }

    @Test("a value that moves to another slot leaves its former one")
    func changesSlot() async throws {
        try await TestServer.run { server async throws in
            let asVoIP = tokens(1).replacingOccurrences(of: #""topic""#, with: #""kind":"voip","topic""#)
            let realVoIP = tokens(2).replacingOccurrences(of: #""topic""#, with: #""kind":"voip","topic""#)
            _ = try await server.put(phone, asVoIP)
            _ = try await server.put(phone, tokens(1))
            #expect(try await server.put(phone, realVoIP).changes == ["registered"])
        }
        #expect(try await states() == ["active", "active"])
    }

    @Test("a server key may date a registration back, a device key may not")
    func backfill() async throws {
        let old = Instant.now - .days(10)
        let body = tokens(1).dropLast() + #","registered_at":\#(old.millisecondsSinceEpoch)}"#
        try await TestServer.run { server async throws in
            let age =
                "SELECT (extract(epoch FROM now() - max(last_registered_at)) / 86400)::bigint FROM landfall.token"
            _ = try await server.put(phone, String(body), as: .server)
            #expect(try await TestDatabase.current.count(age) == 10)
            _ = try await server.put(phone, String(body), as: .device)
            #expect(try await TestDatabase.current.count(age) == 0)
        }
    }

    @Test("an old registration that is repeated revives nothing, takes no slot and overwrites nothing newer")
    func repeatedBackfill() async throws {
        func body(_ token: Int, daysAgo: Int64, version: String) -> String {
            let registeredAt = (Instant.now - .days(daysAgo)).millisecondsSinceEpoch
            return tokens(token).dropLast()
                + #","app_version":"\#(version)","account":"old","registered_at":\#(registeredAt)}"#
        }
        let (first, second) = (body(1, daysAgo: 9, version: "1"), body(2, daysAgo: 8, version: "2"))
        let other = body(2, daysAgo: 8, version: "1")
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, first, as: .server).changes == ["registered"])
            #expect(try await server.put(phone, second, as: .server).changes == ["rotated"])
            _ = try await server.post(unregistered(1, token: 2, at: .now - .days(7)))
            let (states, ledger) = (try await states(), try await ledger())
            _ = try await server.put(phone, #"{"account":"new"}"#, as: .server)
            for repeated in [first, second, first] {
                #expect(try await server.put(phone, repeated, as: .server).changes == ["refreshed"])
            }
            #expect(try await server.put(otherPhone, other, as: .server).changes == ["refreshed"])
            #expect(try await self.states() == states)
            #expect(try await self.ledger() == ledger)
            #expect(states == ["retired/rotated", "retired/unregistered"])
        }
        let version = "SELECT app_version::bigint FROM landfall.installation ORDER BY installation_id LIMIT 1"
        #expect(try await TestDatabase.current.count(version) == 2)
        let bound = try await TestDatabase.current.query(
            """
            SELECT account FROM landfall.account_binding
             WHERE unbound_at IS NULL AND installation_id = \(TestDatabase.id(1))
            """
        ) { try $0.get(0, as: String.self) }
        #expect(bound == ["new"])
        let backwards = "SELECT count(*) FROM landfall.account_binding WHERE unbound_at < bound_at"
        #expect(try await TestDatabase.current.count(backwards) == 0)
    }

    @Test("log-out retires every token of the installation")
    func logOut() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, tokens(1))
            #expect(try await server.logOut(phone).status == 204)
            #expect(try await states() == ["retired/logged_out"])
            #expect(try await server.logOut(UUID()).status == 404)
            #expect(try await server.put(phone, tokens(1)).changes == ["revived"])
        }
        #expect(try await states() == ["active"])
    }

    @Test("an account is bound until another one replaces it")
    func accounts() async throws {
        try await TestServer.run { server async throws in
            for account in ["anna", "anna", "ben", ""] {
                _ = try await server.put(phone, #"{"account":"\#(account)"}"#)
            }
        }
        let bindings = try await TestDatabase.current.query(
            "SELECT account || '/' || (unbound_at IS NOT NULL) FROM landfall.account_binding ORDER BY bound_at"
        ) { try $0.get(0, as: String.self) }
        #expect(bindings == ["anna/true", "ben/true"])
    }

    @Test(
        "an invalid registration is rejected with its reason and changes nothing",
        arguments: [
            ("nonsense", 400, "invalid_json"), ("[]", 422, "invalid_field"),
            (#"{"tokens":"aa"}"#, 422, "invalid_field"), (#"{"account":{"id":1}}"#, 422, "invalid_field"),
        ])
    func rejected(body: String, status: Int, code: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await server.put(phone, body)
            #expect(response.status == status)
            #expect(response.code == code)
            #expect(
                try await server.send(.put, "/v1/devices/12", Array("{}".utf8), as: .device).status == 422)
            #expect(try await server.put(phone, tokens(1), as: .report).status == 403)
        }
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.installation") == 0)
    }

    @Test("the token itself is nowhere in the database")
    func secrecy() async throws {
        let canary = "deadbeefcafe" + String(repeating: "0123456789ab", count: 5)
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, tokens(1).replacingOccurrences(of: tokenValue(1), with: canary))
            _ = try await server.post(
                unregistered(1, token: 1, at: .now).replacingOccurrences(of: tokenValue(1), with: canary))
            _ = try await server.post(#"[{"type":"response","token":"\#(canary)"}]"#)
        }
        let tables = try await TestDatabase.current.query(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'landfall'"
        ) { try $0.get(0, as: String.self) }
        #expect(tables.count > 10)
        for table in tables {
            let found = try await TestDatabase.current.count(
                "SELECT count(*) FROM \(table) AS row WHERE row::text ILIKE '%deadbeefcafe%' OR row::text LIKE '%\(hex("deadbeefcafe"))%'"
            )
            #expect(found == 0, "\(table)")
        }
    }

    /// The text as `bytea` prints it.
    private func hex(_ text: String) -> String {
        text.utf8.map { String($0, radix: 16) }.joined()
    }
}
