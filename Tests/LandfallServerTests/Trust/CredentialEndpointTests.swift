import Access
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Trust
import Vault

@testable import LandfallServer

/// Who may act on an installation: its device, not every client with the device key and the device's id.
@Suite(.database) struct CredentialEndpointTests {
    private let phone = UUID()

    private func body(_ number: Int? = nil, also more: String = "") -> String {
        let tokens = number.map { #"{"value":"\#(tokenValue($0))","topic":"com.example.shop"}"# } ?? ""
        return #"{"platform":"ios","tokens":[\#(tokens)]\#(more)}"#
    }

    /// A request without the credential that the device keeps.
    private func forged(
        _ server: TestServer, _ body: String, credential: String? = nil, as kind: APIKey.Kind = .device,
        from address: String? = nil
    ) async throws -> Response {
        var headers: HTTPFields = [:]
        if let address, let name = HTTPField.Name("X-Forwarded-For") { headers[name] = address }
        if let credential, let name = HTTPField.Name("Landfall-Credential") { headers[name] = credential }
        return try await server.send(
            .put, "/v1/devices/\(phone)", Array(body.utf8), as: kind, headers: headers)
    }

    /// The value/state of each token, in the order in which they became known.
    private func states() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT state || coalesce('/' || cause, '') FROM landfall.token ORDER BY token_id"
        ) { try $0.get(0, as: String.self) }
    }

    @Test("the first registration returns a credential, once, and later ones with it are served")
    func first() async throws {
        try await TestServer.run { server async throws in
            let first = try await server.put(phone, body(1))
            let credential = try #require(first.credential)
            #expect(credential.utf8.count == 43)
            let second = try await server.put(phone, body(2))
            #expect(second.status == 200 && second.credential == nil && second.changes == ["rotated"])
            #expect(try await server.put(phone, body()).status == 200)
            #expect(try await server.logOut(phone).status == 204)
            #expect(try await server.put(phone, body(3)).changes == ["registered"])
        }
        let digests = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.installation WHERE length(credential_digest) = 32")
        #expect(digests == 1)
    }

    @Test("the device key and a leaked device id neither rotate nor log out, tag or describe an installation")
    func attack() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, body(1, also: #","app_version":"7.1""#))
            for credential in [nil, "", "guessed", String(repeating: "A", count: 43)] {
                for body in [
                    body(666), body(), body(also: #","account":"u_666""#), body(also: #","tags":["vip"]"#),
                    body(also: #","permission":"denied""#),
                ] {
                    let response = try await forged(server, body, credential: credential)
                    #expect(response.status == 403 && response.code == "credential_required")
                }
            }
            let logOut = try await server.send(.delete, "/v1/devices/\(phone)/tokens", as: .device)
            #expect(logOut.status == 403 && logOut.code == "credential_required")
            #expect(logOut.detail?.contains("Landfall-Credential") == true)
        }
        #expect(try await states() == ["active"])
        let untouched = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.installation WHERE app_version = '7.1' AND permission = ''")
        #expect(untouched == 1)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.account_binding") == 0)
    }

    @Test("a device that lost its credential gets a new one for one of its tokens, and the old one ends")
    func lost() async throws {
        try await TestServer.run { server async throws in
            let old = try #require(try await server.put(phone, body(1)).credential)
            let again = try await forged(server, body(1))
            let new = try #require(again.credential)
            #expect(again.status == 200 && new != old)
            #expect(try await forged(server, body(), credential: old).status == 403)
            #expect(try await forged(server, body(), credential: new).status == 200)
            // A token that has been rotated away is no proof any longer.
            #expect(try await forged(server, body(2), credential: new).changes == ["rotated"])
            #expect(try await forged(server, body(1)).status == 403)
        }
    }

    @Test(
        "an installation that a server created is claimed by its token; without tokens, by the first device")
    func claimed() async throws {
        try await TestServer.run { server async throws in
            #expect(try await forged(server, body(1), as: .server).credential == nil)
            #expect(try await forged(server, body()).code == "credential_required")
            #expect(try await forged(server, body(2)).code == "credential_required")
            #expect(try await forged(server, body(1)).credential != nil)
            // A server needs no credential, and its registrations do not end the device's.
            #expect(try await forged(server, body(1), as: .server).status == 200)

            let tablet = UUID()
            #expect(try await server.put(tablet, #"{"platform":"ios"}"#, as: .server).status == 200)
            #expect(try await server.put(tablet, body(3)).credential != nil)
        }
    }

    private func found(_ server: TestServer, _ query: String) async throws -> Int {
        let response = try await server.send(.get, "/v1/tokens?\(query)", as: .server)
        return response.text.components(separatedBy: #""token_id""#).count - 1
    }

    @Test("whoever claims an installation that a server made without tokens does not get its account")
    func claimedAccount() async throws {
        let made = #"{"platform":"ios","account":"u_42","tags":["vip"]}"#
        try await TestServer.run { server async throws in
            #expect(try await server.put(phone, made, as: .server).status == 200)
            let stranger = try await forged(server, body(666))
            #expect(stranger.credential != nil)
            #expect(stranger.text.contains("unverified_account"))
            #expect(try await found(server, "account=u_42") == 0)
            #expect(try await found(server, "tag=vip") == 0)
            // The server may say so again, if it knows better.
            #expect(try await server.put(phone, made, as: .server).status == 200)
            #expect(try await found(server, "account=u_42") == 1)
            #expect(try await found(server, "tag=vip") == 1)
        }
        let claimed = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.installation WHERE tags = '{vip}' AND claimed_tags = '{}'")
        #expect(claimed == 1)
    }

    @Test("if the app trusts its devices, it does")
    func trustedAccount() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            let made = #"{"platform":"ios","account":"u_42","tags":["vip"]}"#
            #expect(try await server.put(phone, made, as: .server).status == 200)
            let device = try await forged(server, body(1))
            #expect(device.credential != nil && !device.text.contains("unverified_account"))
            #expect(try await found(server, "account=u_42") == 1)
            #expect(try await found(server, "tag=vip") == 1)
        }
    }

    @Test("requests with a leaked device id do not use up the owner's")
    func leakedID() async throws {
        let proxy = try #require(AddressRange("127.0.0.1"))
        try await TestServer.run(
            configure: {
                $0.limits.installationRequests = RateLimit(perSecond: 0.001, burst: 3)
                $0.limits.trustedProxies = [proxy]
            }
        ) { server async throws in
            let credential = try #require(try await server.put(phone, body(1)).credential)
            for number in 0..<5 {
                // An invented credential makes no difference.
                let response = try await forged(
                    server, body(666), credential: "guess \(number)", from: "2001:db8:1:\(number)::1")
                #expect(response.status == (number < 3 ? 403 : 429))
            }
            #expect(try await forged(server, body(1), credential: credential).status == 200)
        }
    }

    @Test("a registration whose transaction is repeated after its commit gets the credential that holds")
    func repeated() async throws {
        let registry = DeviceRegistry(vault: TokenVault(.random()))
        _ = try await TestServer.makeApp("shop")
        var registration = Registration(deviceID: phone, registeredAt: .now)
        registration.poster = .device(PostingDevice(credential: nil, trust: TrustRules()))
        let (first, second) = try await TestDatabase.current.pool.withConnection {
            [registration] connection in
            func register() throws -> Registered {
                try connection.transaction {
                    try registry.register(registration, appID: firstApp, now: .now, on: connection)
                }
            }
            return (try register(), try register())
        }
        #expect(first.isNew && !second.isNew)
        #expect(second.claim == .first)
        #expect(first.credential != nil && first.credential == second.credential)
    }

    @Test("observe rejects nothing, gives credentials to those with a claim, and counts the others")
    func observed() async throws {
        try await TestServer.run(settings: ["credentials": "observe"]) { server async throws in
            #expect(try await server.put(phone, body(1)).credential != nil)
            let stranger = try await forged(server, body(2))
            #expect(stranger.status == 200 && stranger.credential == nil)
            let metrics = try await server.send(.get, "/metrics", as: nil).text
            #expect(metrics.contains(#"landfall_registrations_total{claim="first"} 1"#))
            #expect(metrics.contains(#"landfall_registrations_total{claim="none"} 1"#))
            #expect(try await server.send(.delete, "/v1/devices/\(phone)/tokens", as: .device).status == 204)
        }
    }

    @Test("off: as if there were no credentials")
    func off() async throws {
        try await TestServer.run(settings: ["credentials": "off"]) { server async throws in
            #expect(try await server.put(phone, body(1)).credential == nil)
            #expect(try await forged(server, body(2)).changes == ["rotated"])
            #expect(try await server.logOut(phone).status == 204)
        }
    }

    @Test("registrations of one new device at once: all are served, and the credential of the last one holds")
    func race() async throws {
        try await TestServer.run { server async throws in
            let responses = try await withThrowingTaskGroup(of: Response.self) { group in
                for _ in 0..<8 { group.addTask { try await forged(server, body(1)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(responses.allSatisfy { $0.status == 200 })
            var valid = 0
            // One that was overtaken by a later one gets none.
            for credential in responses.compactMap(\.credential) {
                valid += try await forged(server, body(), credential: credential).status == 200 ? 1 : 0
            }
            #expect(valid == 1)
        }
    }
}
