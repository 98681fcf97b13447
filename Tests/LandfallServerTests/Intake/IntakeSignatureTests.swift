import Access
import Crypto
import DeliveryModel
import Foundation
import HTTPTypes
import LandfallServer
import PostgresClient
import TestDatabase
import Testing
import Trust
import Vault

/// Customer.io signs `v0:timestamp:body` with HMAC-SHA256, in hexadecimal.
@Suite("Signatures of other senders", .database) struct IntakeSignatureTests {
    private let body = """
        {"event_id":"01E4C4CT6YDC7Y5M7FE1GWWPQJ","object_type":"push","metric":"sent",\
        "timestamp":\(Int(Date.now.timeIntervalSince1970)),"data":{"delivery_id":"RPILAgUBcRhIBqSfeiIwdIYJKxTY",\
        "recipients":[{"device_id":"\(tokenValue(1))","device_platform":"ios"}]}}
        """

    private func headers(secret: String?) throws -> HTTPFields {
        var headers: HTTPFields = [.contentType: "application/json"]
        guard let secret else { return headers }
        let timestamp = "\(Int(Date.now.timeIntervalSince1970))"
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("v0:\(timestamp):\(body)".utf8), using: SymmetricKey(data: Data(secret.utf8)))
        headers[try #require(HTTPField.Name("X-CIO-Timestamp"))] = timestamp
        headers[try #require(HTTPField.Name("X-CIO-Signature"))] = code.map { String(format: "%02x", $0) }
            .joined()
        return headers
    }

    /// Stores secrets and returns the status of a post that is signed with each of these, `nil` for none.
    private func statuses(
        stored: [String], under vault: TokenVault = TokenVault(testTokenKey), signed: [String?]
    ) async throws -> [Int] {
        let statuses = Collected()
        let made = try await TestServer.makeApp("shop")
        try await TestDatabase.current.pool.withConnection { connection in
            for secret in stored {
                try AppDirectory(connection).addIntakeSecret(
                    secret, of: "customerio", for: made.0, vault: vault, at: .now)
            }
        }
        try await TestServer.run(made: made) { server async throws in
            for secret in signed {
                let response = try await server.send(
                    .post, "/v1/intake/customerio", Array(body.utf8), as: .server,
                    headers: try headers(secret: secret))
                if response.status == 401 { #expect(response.code == "invalid_signature") }
                await statuses.add(response.status)
            }
        }
        return await statuses.all
    }

    private actor Collected {
        var all: [Int] = []
        func add(_ status: Int) { all.append(status) }
    }

    @Test("with a secret, only posts signed with it are accepted, and nothing of the others is kept")
    func signed() async throws {
        let other = try await statuses(stored: ["secret"], signed: [nil, "guess"])
        #expect(other == [401, 401])
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.quarantined_item") == 0)
        #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.delivery") == 0)
    }

    @Test("both secrets are accepted while one replaces the other")
    func replaced() async throws {
        #expect(
            try await statuses(stored: ["old", "new"], signed: ["old", "new", "older"]) == [200, 200, 401])
    }

    @Test("without a secret, no signature is checked")
    func unchecked() async throws {
        #expect(try await statuses(stored: [], signed: [nil, "any"]) == [200, 200])
    }

    @Test("a secret that the server cannot open is not the same as none: every post is rejected")
    func unreadable() async throws {
        let other = TokenVault(.random())
        #expect(try await statuses(stored: ["secret"], under: other, signed: [nil, "secret"]) == [401, 401])
    }

    @Test("an app has at most two secrets of a preset, and a revoked one is no longer valid")
    func directory() async throws {
        let (app, _) = try await TestServer.makeApp("shop")
        let vault = TokenVault(testTokenKey)
        try await TestDatabase.current.pool.withConnection { connection in
            let directory = AppDirectory(connection)
            for (preset, secret) in [("huawei", "a"), ("huawei", "b"), ("customerio", "c")] {
                try directory.addIntakeSecret(secret, of: preset, for: app, vault: vault, at: .now)
            }
            #expect(throws: AccessError.twoSigningKeys("huawei intake", app: "shop")) {
                try directory.addIntakeSecret("d", of: "huawei", for: app, vault: vault, at: .now)
            }
            let secrets = try directory.trust(of: app, vault: vault).intakeSecrets
            #expect(secrets == ["huawei": ["b", "a"], "customerio": ["c"]])
            let key = try #require(try directory.keys(of: app).first { $0.prefix == "huawei" })
            try directory.revokeKey(key.keyID, of: app, at: .now)
            #expect(try directory.trust(of: app, vault: vault).intakeSecrets["huawei"] == ["b"])
        }
        let stored = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.api_key WHERE kind = 'intake' AND sealed_key IS NOT NULL")
        #expect(stored == 3)
    }
}
