import Access
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import Trust
import Vault

/// Accounts and tags that devices name, and what senders find by them.
@Suite(.database) struct AccountEndpointTests {
    private let phone = UUID()
    private let other = UUID()
    private let vault = TokenVault(testTokenKey)

    private func createKey(for app: App) async throws -> SigningKey {
        let vault = vault
        return try await TestDatabase.current.pool.withConnection { connection in
            SigningKey(
                try AppDirectory(connection).createSigningKey(
                    kind: .account, for: app, vault: vault, at: .now))
        }
    }

    private func body(_ number: Int, account: String?, tags: [String]? = nil, proof: String? = nil) -> String
    {
        var members = [#""tokens":[{"value":"\#(tokenValue(number))","topic":"com.example.shop"}]"#]
        if let account { members.append(#""account":"\#(account)""#) }
        if let tags { members.append(#""tags":[\#(tags.map { "\"\($0)\"" }.joined(separator: ","))]"#) }
        if let proof { members.append(#""account_proof":"\#(proof)""#) }
        return "{\(members.joined(separator: ","))}"
    }

    private func proof(
        _ key: SigningKey, _ account: String, tags: [String] = [], of device: UUID,
        until: Instant = .now + .days(1)
    ) throws -> String {
        try AccountProof.text(
            for: .init(account: account, tags: tags, deviceID: device), until: until, key: key)
    }

    @Test("an account that a stranger claims is kept, and no sender finds his token by it")
    func stolen() async throws {
        try await TestServer.run { server async throws in
            let key = try await createKey(for: server.app)
            let owner = try await server.put(
                phone, body(1, account: "u_42", proof: proof(key, "u_42", of: phone)))
            #expect(owner.status == 200 && owner.warnings.isEmpty)
            for claim in [
                body(2, account: "u_42"), body(2, account: "u_42", proof: "garbage"),
                // The owner's own proof, a proof for another account, and one that ran out.
                body(2, account: "u_42", proof: try proof(key, "u_42", of: phone)),
                body(2, account: "u_42", proof: try proof(key, "u_43", of: other)),
                body(2, account: "u_42", proof: try proof(key, "u_42", of: other, until: .now - .hours(1))),
                body(2, account: "u_42", proof: try proof(SigningKey("lf_account_x"), "u_42", of: other)),
            ] {
                let response = try await server.put(other, claim)
                #expect(response.status == 200)
                #expect(response.warnings.first?.hasPrefix("unverified_account: ") == true)
            }
            #expect(try await server.allValues("account=u_42") == [tokenValue(1)])
            let fed = try await server.tokens("").tokens
            #expect(fed.map(\.account) == ["u_42", nil])
        }
        let claimed = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.account_binding WHERE account = 'u_42' AND NOT is_verified")
        #expect(claimed == 1)
    }

    @Test("a proof turns a claim into the account, and a later launch without one does not take it away")
    func later() async throws {
        try await TestServer.run { server async throws in
            let key = try await createKey(for: server.app)
            _ = try await server.put(phone, body(1, account: "anna"))
            #expect(try await server.allValues("account=anna").isEmpty)
            let proven = try await server.put(
                phone, body(1, account: "anna", proof: proof(key, "anna", of: phone)))
            #expect(proven.warnings.isEmpty)
            #expect(try await server.allValues("account=anna") == [tokenValue(1)])
            #expect(try await server.put(phone, body(1, account: "anna")).warnings.count == 1)
            #expect(try await server.allValues("account=anna") == [tokenValue(1)])
            // Another person signs in, and out.
            _ = try await server.put(phone, body(1, account: "ben"))
            #expect(try await server.allValues("account=anna").isEmpty)
            #expect(try await server.allValues("account=ben").isEmpty)
            #expect(try await server.put(phone, body(1, account: "")).warnings.isEmpty)
        }
        let open = try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.account_binding WHERE unbound_at IS NULL")
        #expect(open == 0)
    }

    @Test("tags follow the same rule: without a proof, a device can only drop tags that count")
    func tags() async throws {
        try await TestServer.run { server async throws in
            let key = try await createKey(for: server.app)
            let proof = try proof(key, "", tags: ["vip", "news"], of: phone)
            _ = try await server.put(phone, body(1, account: nil, tags: ["vip", "news"], proof: proof))
            #expect(try await server.allValues("tag=vip") == [tokenValue(1)])
            _ = try await server.put(phone, body(1, account: nil, tags: ["news", "beta"]))
            #expect(try await server.allValues("tag=vip").isEmpty)
            #expect(try await server.allValues("tag=beta").isEmpty)
            #expect(try await server.allValues("tag=news") == [tokenValue(1)])
        }
        let claimed = try await TestDatabase.current.query(
            "SELECT array_to_string(tags, ','), array_to_string(claimed_tags, ',') FROM landfall.installation"
        ) { [try $0.get(0, as: String.self), try $0.get(1, as: String.self)] }
        #expect(claimed == [["news", "beta"]])
    }

    @Test(
        "from a server key, or if the app trusts its devices, no proof is needed", arguments: [true, false])
    func trusted(byServer: Bool) async throws {
        let settings = byServer ? [:] : ["accounts": "trusted"]
        try await TestServer.run(settings: settings) { server async throws in
            let response = try await server.put(
                phone, body(1, account: "anna", tags: ["vip"]), as: byServer ? .server : .device)
            #expect(response.status == 200 && response.warnings.isEmpty)
            #expect(try await server.allValues("account=anna&tag=vip") == [tokenValue(1)])
        }
    }
}
