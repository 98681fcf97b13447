import Access
import Foundation
import Hummingbird
import PostgresClient
import TestDatabase
import Testing

/// Stories of people and their phones.
@Suite(.database) struct InstallationStoryTests {
    private let phone = UUID()
    private let newPhone = UUID()

    /// The `device:value` of each active token, in the order of the feed.
    private func owners(_ server: TestServer) async throws -> [String] {
        let active = try await server.tokens().tokens.map { "\($0.deviceId ?? "-"):\($0.value)" }
        return active
    }

    private func periods(_ table: String, _ column: String) async throws -> [String] {
        let (from, until) =
            table == "account_binding" ? ("bound_at", "unbound_at") : ("started_at", "ended_at")
        return try await TestDatabase.current.query(
            "SELECT \(column) || CASE WHEN \(until) IS NULL THEN ' still' ELSE '' END FROM landfall.\(table) ORDER BY \(from), \(until) NULLS LAST"
        ) { try $0.get(0, as: String.self) }
    }

    @Test("reinstall with the same token: the new installation has it, the old one has none")
    func reinstallSameToken() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1), also: #","account":"anna""#))
            #expect(try await server.put(newPhone, registration(tokenValue(1))).changes == ["transferred"])
            #expect(try await owners(server) == ["\(newPhone.uuidString.lowercased()):\(tokenValue(1))"])
            #expect(try await server.allValues("account=anna").isEmpty)
            #expect(try await server.changes().changes.map(\.rule) == ["registered", "transferred"])
        }
        let slots = "SELECT count(*) FROM landfall.token_slot"
        #expect(try await TestDatabase.current.count(slots) == 1)
    }

    @Test("reinstall with a new token: the old one stays until a provider, silence or a response retires it")
    func reinstallNewToken() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1)))
            #expect(try await server.put(newPhone, registration(tokenValue(2))).changes == ["registered"])
            #expect(try await server.allValues() == [tokenValue(1), tokenValue(2)])
            _ = try await server.post(
                """
                {"type":"response","notification_id":"\(notificationID(1, at: .now))","provider":"apns","status":410,\
                "reason":"Unregistered","timestamp":\((Instant.now + .seconds(1)).millisecondsSinceEpoch),\
                "token":"\(tokenValue(1))","topic":"com.example.shop"}
                """)
            #expect(try await server.allValues() == [tokenValue(2)])
            #expect(try await server.changes().changes.last?.rule == "unregistered")
        }
    }

    @Test("an app that keeps its device id over a reinstall rotates its token")
    func reinstallKeepsDeviceID() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1)))
            #expect(try await server.put(phone, registration(tokenValue(2))).changes == ["rotated"])
            #expect(try await server.allValues() == [tokenValue(2)])
        }
        let successor = """
            SELECT count(*) FROM landfall.token AS old JOIN landfall.token AS new ON new.token_id = old.successor_id
            WHERE old.cause = 'rotated' AND new.state = 'active'
            """
        #expect(try await TestDatabase.current.count(successor) == 1)
    }

    @Test(
        "restore onto a new phone: the device id moves along, the token changes, and the old phone becomes another device"
    )
    func restore() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(
                phone, registration(tokenValue(1), also: #","account":"anna","model":"old""#))
            // The backup contained the device id; the new phone has a token of its own.
            #expect(
                try await server.put(phone, registration(tokenValue(2), also: #","model":"new""#)).changes
                    == ["rotated"])
            // The old phone is set up for another person: a new id, and the same old value.
            #expect(try await server.put(newPhone, registration(tokenValue(1))).changes == ["transferred"])
            #expect(
                try await owners(server) == [
                    "\(newPhone.uuidString.lowercased()):\(tokenValue(1))",
                    "\(phone.uuidString.lowercased()):\(tokenValue(2))",
                ])
            #expect(try await server.allValues("account=anna") == [tokenValue(2)])
            // Both phones in use under one restored id take the slot from each other, and the ledger records
            // it.
            #expect(try await server.put(phone, registration(tokenValue(3))).changes == ["rotated"])
            #expect(try await server.put(phone, registration(tokenValue(2))).changes == ["rotated"])
            #expect(try await server.allValues("account=anna") == [tokenValue(2)])
        }
    }

    @Test("account switch: the feed follows, and both periods are kept")
    func accountSwitch() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1), also: #","account":"anna""#))
            _ = try await server.put(phone, registration(tokenValue(1), also: #","account":"ben""#))
            #expect(try await server.allValues("account=anna").isEmpty)
            #expect(try await server.allValues("account=ben") == [tokenValue(1)])
        }
        #expect(try await periods("account_binding", "account") == ["anna", "ben still"])
    }

    @Test("log-out unbinds the account, and the next log-in binds it again")
    func logOutUnbinds() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            let body = registration(tokenValue(1), also: #","account":"anna""#)
            _ = try await server.put(phone, body)
            #expect(try await server.logOut(phone).status == 204)
            #expect(try await server.allValues("state=retired&account=anna").isEmpty)
            #expect(try await server.allValues("state=retired") == [tokenValue(1)])
            #expect(try await self.periods("account_binding", "account") == ["anna"])
            _ = try await server.put(phone, body)
            #expect(try await server.allValues("account=anna") == [tokenValue(1)])
        }
        #expect(try await periods("account_binding", "account") == ["anna", "anna still"])
    }

    @Test("permissions keep their periods; a registration without one ends none")
    func permissions() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            for permission in ["not_determined", "authorized", "authorized", "denied", "authorized"] {
                _ = try await server.put(phone, #"{"permission":"\#(permission)"}"#)
            }
            _ = try await server.put(phone, #"{"tokens":[]}"#)
            let old = (Instant.now - .days(3)).millisecondsSinceEpoch
            _ = try await server.put(
                phone, #"{"permission":"ephemeral","registered_at":\#(old)}"#, as: .server)
        }
        #expect(
            try await periods("permission_period", "permission")
                == ["not_determined", "authorized", "denied", "authorized still"])
        let gaps = """
            SELECT count(*) FROM landfall.permission_period AS ended
            WHERE ended_at IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM landfall.permission_period AS next WHERE next.started_at = ended.ended_at)
            """
        #expect(try await TestDatabase.current.count(gaps) == 0)
    }

    @Test("a check-in is a sign of life: a stale token becomes active again")
    func checkIn() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1)))
            try await TestDatabase.current.execute(
                "UPDATE landfall.token SET state = 'stale', cause = 'stale'")
            #expect(try await server.allValues().isEmpty)
            let before = try await server.tokens().changesAfter
            _ = try await server.put(phone, #"{"tokens":[]}"#)
            #expect(try await server.allValues() == [tokenValue(1)])
            #expect(try await server.changes(after: before).changes.map(\.rule) == ["sign_of_life"])
        }
    }
}
