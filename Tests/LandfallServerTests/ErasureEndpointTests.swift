import Access
import Foundation
import Hummingbird
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct ErasureEndpointTests {
    private let phone = UUID()

    private struct Receipt: Decodable, Equatable {
        struct Counts: Decodable, Equatable {
            let tokens: Int
            let tokenValues: Int
            let accountBindings: Int
            let permissionPeriods: Int
            let tags: Int
        }

        let receiptId: String
        let deviceId: String
        let erasedAt: String
        let erased: Counts
    }

    private let personal =
        #","account":"anna@example.com","tags":["vip","berlin"],"permission":"authorized","model":"iPhone16,2","#
        + #""language":"de","time_zone":"Europe/Berlin","app_version":"7.1.0","os_version":"18.1""#

    private func erase(_ deviceID: UUID, on server: TestServer) async throws -> Receipt {
        try await server.send(.delete, "/v1/devices/\(deviceID)", as: .server).document(Receipt.self)
    }

    @Test("erasure leaves a tombstone, the ledger and a receipt, and no personal data")
    func erased() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1), also: personal))
            _ = try await server.put(phone, registration(tokenValue(2), also: #","permission":"denied""#))
            let place = try await server.tokens().changesAfter
            let receipt = try await erase(phone, on: server)
            #expect(
                receipt.erased
                    == .init(tokens: 2, tokenValues: 2, accountBindings: 1, permissionPeriods: 2, tags: 2))
            #expect(receipt.deviceId == phone.uuidString.lowercased())
            #expect(Instant(rfc3339: receipt.erasedAt) != nil)
            #expect(try await server.allValues().isEmpty)
            #expect(try await server.allValues("state=retired").isEmpty)
            let changes = try await server.changes(after: place).changes
            #expect(changes.map(\.rule) == ["erased", "erased"])
            #expect(changes.map(\.value) == [nil, nil])
            #expect(Set(changes.map(\.from)) == ["active", "retired"])
            // A repeated request gets the same receipt.
            #expect(try await erase(phone, on: server) == receipt)
        }
        for word in ["anna", "vip", "berlin", "iPhone", "authorized"] {
            for table in [
                "installation", "account_binding", "permission_period", "token", "erasure_receipt",
                "token_transition",
            ] {
                let found = try await TestDatabase.current.count(
                    "SELECT count(*) FROM landfall.\(table) AS row WHERE row::text ILIKE '%\(word)%'")
                #expect(found == 0, "\(word) in \(table)")
            }
        }
        let values = "SELECT count(*) FROM landfall.token WHERE sealed_value IS NOT NULL"
        #expect(try await TestDatabase.current.count(values) == 0)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.token") == 2)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.token_slot") == 0)
    }

    @Test("late events, responses and registrations do not restore an erased device, and counters stay")
    func lateEvents() async throws {
        @Sendable func response(_ number: Int, _ fields: String) -> String {
            """
            {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\(fields)}
            """
        }
        let named = #""token":"\#(tokenValue(1))","topic":"com.example.shop""#
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1), also: personal))
            #expect(try await server.post(response(1, named)).counts == [1, 0, 0])
            _ = try await erase(phone, on: server)
            let states = try await tokens()
            let arrival =
                #"{"type":"arrival","notification_id":"\#(notificationID(1))","device_id":"\#(phone)"}"#
            #expect(try await server.post(arrival, as: .device).counts == [1, 0, 0])
            #expect(try await server.post(response(2, named)).counts == [1, 0, 0])
            #expect(try await server.post(response(3, #""device_id":"\#(phone)""#)).counts == [1, 0, 0])
            #expect(try await tokens() == states)
            // A response under another topic and environment does not restore it either.
            let elsewhere =
                #""token":"\#(tokenValue(1))","topic":"com.example.other","environment":"sandbox""#
            #expect(try await server.post(response(4, elsewhere)).counts == [1, 0, 0])
            #expect(try await server.allValues().isEmpty)

            for body in [registration(tokenValue(1)), #"{"tokens":[]}"#, #"{"account":"anna"}"#] {
                let late = try await server.put(phone, body)
                #expect(late.status == 410)
                #expect(late.code == "erased_device")
            }
            #expect(try await server.logOut(phone).status == 404)
        }
        let alive =
            "SELECT count(*) FROM landfall.token WHERE state <> 'retired' OR cause <> 'erased' OR sealed_value IS NOT NULL"
        #expect(try await TestDatabase.current.count(alive) == 0)
        #expect(
            try await TestDatabase.current.count(
                "SELECT count(*) FROM landfall.installation WHERE last_sign_of_life_at > erased_at OR platform <> ''"
            ) == 0)
        #expect(
            try await TestDatabase.current.count("SELECT sum(accepted)::bigint FROM public.counted")
                == 4)
        #expect(
            try await TestDatabase.current.count("SELECT sum(arrived)::bigint FROM public.counted")
                == 1)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.account_binding") == 0)
    }

    @Test(
        "the value of a token that was merged is erased with the installation that registered the value last, and responses do not find it"
    )
    func mergedToken() async throws {
        @Sendable func response(_ number: Int) -> String {
            """
            {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
            "token":"\(tokenValue(1))","topic":"com.example.other"}
            """
        }
        try await TestServer.run { server async throws in
            #expect(try await server.post(response(1)).counts == [1, 0, 0])
            for device in [UUID(), phone] {
                #expect(try await server.put(device, registration(tokenValue(1))).status == 200)
            }
            #expect(try await erase(phone, on: server).erased.tokens == 2)
            #expect(try await tokens() == ["retiredmergedtrue", "retirederasedtrue"])
            #expect(try await server.post(response(2)).counts == [1, 0, 0])
            let accepted = "SELECT count(*) FROM landfall.token WHERE last_accepted_at IS NOT NULL"
            #expect(try await TestDatabase.current.count(accepted) == 1)
        }
        let values = "SELECT count(*) FROM landfall.token WHERE sealed_value IS NOT NULL"
        #expect(try await TestDatabase.current.count(values) == 0)
    }

    private func tokens() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT state || cause || (sealed_value IS NULL) FROM landfall.token ORDER BY token_id"
        ) { try $0.get(0, as: String.self) }
    }

    @Test(
        "a person who installs the app again is a new device, with the same token if the system gives it"
    )
    func installsAgain() async throws {
        let again = UUID()
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1), also: personal))
            let receipt = try await erase(phone, on: server)
            #expect(try await server.put(again, registration(tokenValue(1))).changes == ["transferred"])
            let token = try #require(try await server.tokens().tokens.first)
            #expect(token.value == tokenValue(1))
            #expect(token.deviceId == again.uuidString.lowercased())
            #expect(token.account == nil)
            #expect(try await erase(phone, on: server) == receipt)
            #expect(try await server.allValues() == [tokenValue(1)])
        }
    }

    @Test("only a server key of the app may erase, and only a known device")
    func rejected() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1)))
            #expect(try await server.send(.delete, "/v1/devices/\(phone)", as: .device).status == 403)
            #expect(
                try await server.send(.delete, "/v1/devices/\(UUID())", as: .server).code == "unknown_device")
            #expect(try await server.send(.delete, "/v1/devices/12", as: .server).code == "invalid_device_id")
            let (app, keys) = try await TestServer.makeApp("news")
            let other = server.with(keys: keys, app: app)
            #expect(try await other.send(.delete, "/v1/devices/\(phone)", as: .server).status == 404)
            #expect(try await server.allValues() == [tokenValue(1)])
        }
    }
}
