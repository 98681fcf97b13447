import Access
import Foundation
import Hummingbird
import PostgresClient
import TestDatabase
import Testing

@Suite(.database) struct FeedsEndpointTests {
    private func register(_ count: Int, on server: TestServer, also fields: String = "") async throws
        -> [String]
    {
        var values: [String] = []
        for number in 1...count {
            let value = tokenValue(number)
            _ = try await server.put(UUID(), registration(value, also: fields))
            values.append(value)
        }
        return values
    }

    @Test("a token has everything that a sender needs")
    func oneToken() async throws {
        let phone = UUID()
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1), also: #","account":"an\"na\n""#))
            let response = try await server.send(.get, "/v1/tokens", as: .server)
            #expect(response.status == 200)
            #expect(response.headers[.cacheControl] == "no-store")
            let page = try response.document(TokenPage.self)
            let token = try #require(page.tokens.first)
            #expect(page.tokens.count == 1)
            #expect(page.nextCursor == nil)
            #expect(token.value == tokenValue(1))
            #expect([token.provider, token.kind, token.environment] == ["apns", "alert", "production"])
            #expect([token.topic, token.state] == ["com.example.shop", "active"])
            #expect(token.deviceId == phone.uuidString.lowercased())
            // Names lose white space at their ends.
            #expect(token.account == "an\"na")
            #expect(token.registeredAt.flatMap { Instant(rfc3339: $0) } != nil)
            #expect(token.expiresAt == nil)
        }
    }

    @Test("pages return every token once, however large they are", arguments: [1, 2, 3, 7, 10])
    func pages(limit: Int) async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            let values = try await register(7, on: server)
            #expect(try await server.allValues("limit=\(limit)") == values)
        }
    }

    @Test(
        "what changes while a client pages is neither skipped nor repeated, and the change feed returns the rest"
    )
    func changesBetweenPages() async throws {
        let phone = UUID()
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(100)))
            let values = try await register(5, on: server)
            let first = try await server.tokens("limit=3")
            // A returned one moves, another is rotated away after it was read, and one is new.
            _ = try await server.put(UUID(), registration(tokenValue(2)))
            _ = try await server.put(phone, registration(tokenValue(101)))
            let cursor: String = try #require(first.nextCursor)
            let rest = try await server.allValues("limit=3", after: cursor)
            #expect(first.tokens.map(\.value) == [tokenValue(100)] + Array(values[0..<2]))
            #expect(rest == Array(values[2...]) + [tokenValue(101)])
            let changes = try await server.changes(after: first.changesAfter).changes
            #expect(changes.map(\.rule) == ["transferred", "registered", "rotated"])
            #expect(changes.map(\.value) == [tokenValue(2), tokenValue(101), tokenValue(100)])
        }
    }

    @Test("a reader's proof of its last row is rejected once another row has the number")
    func proofs() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.tokens().proof == nil)
            #expect(try await server.changes().proof == nil)
            _ = try await register(3, on: server)
            let filled = try await server.tokens("limit=1")
            let path = "/v1/token-changes?after=\(filled.changesAfter)&proof="
            let proof = try #require(filled.proof)
            let same = try await server.send(.get, path + proof, as: .server).document(ChangePage.self)
            // Without a further row, the proof stays the same.
            #expect(same.changes.isEmpty && same.proof == proof && !same.hasMore)
            let followed = try await server.changes(limit: 2)
            #expect(followed.hasMore && followed.proof != proof)
            #expect(try await server.changes(after: followed.nextAfter).proof == proof)
            try await TestDatabase.current.execute(
                "UPDATE landfall.token_transition SET at = at + interval '1 second'")
            for proof in [proof, "x"] {
                let response = try await server.send(.get, path + proof, as: .server)
                #expect(response.status == 400 && response.code == "invalid_cursor")
            }
            #expect(
                try await server.send(.get, "/v1/token-changes?proof=\(proof)", as: .server).status == 400)
        }
    }

    @Test("account and tag filter, alone and together")
    func filters() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(
                UUID(), registration(tokenValue(1), also: #","account":"anna","tags":["vip","de"]"#))
            _ = try await server.put(UUID(), registration(tokenValue(2), also: #","account":"anna""#))
            _ = try await server.put(
                UUID(), registration(tokenValue(3), also: #","account":"ben","tags":["vip"]"#))
            _ = try await server.put(UUID(), registration(tokenValue(4)))
            #expect(try await server.allValues("account=anna&limit=1") == [tokenValue(1), tokenValue(2)])
            #expect(try await server.allValues("tag=vip&limit=1") == [tokenValue(1), tokenValue(3)])
            #expect(try await server.allValues("tag=vip&account=anna") == [tokenValue(1)])
            #expect(try await server.allValues("tag=none").isEmpty)
            #expect(try await server.allValues("account=nobody").isEmpty)
            #expect(try await server.tokens("account=ben").tokens.first?.account == "ben")
        }
    }

    @Test("only tokens of the requested state are returned, active ones by default")
    func states() async throws {
        let phone = UUID()
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await server.put(phone, registration(tokenValue(1)))
            _ = try await server.put(phone, registration(tokenValue(2)))
            #expect(try await server.allValues() == [tokenValue(2)])
            #expect(try await server.allValues("state=retired") == [tokenValue(1)])
            #expect(try await server.allValues("state=stale").isEmpty)
            try await TestDatabase.current.execute(
                "UPDATE landfall.token SET sealed_value = NULL WHERE state = 'retired'")
            #expect(try await server.allValues("state=retired").isEmpty)
        }
    }

    @Test(
        "a cursor of another query or app, and an invented one, are rejected",
        arguments: [
            "state=stale&", "account=anna&", "tag=vip&", "cursor=AAAA", "cursor=x-_",
        ])
    func foreignCursor(query: String) async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            _ = try await register(2, on: server)
            let cursor = try #require(try await server.tokens("limit=1").nextCursor)
            let path = "/v1/tokens?\(query)" + (query.hasSuffix("&") ? "cursor=\(cursor)" : "")
            let response = try await server.send(.get, path, as: .server)
            #expect(response.status == 400)
            #expect(response.code == "invalid_cursor")
            let (app, keys) = try await TestServer.makeApp("news")
            let other = server.with(keys: keys, app: app)
            let theirs = try await other.send(.get, "/v1/tokens?cursor=\(cursor)", as: .server)
            #expect(theirs.code == "invalid_cursor")
            #expect(try await other.tokens().tokens.isEmpty)
            #expect(try await other.changes().changes.isEmpty)
            #expect(
                try await other.send(.get, "/v1/token-changes?after=1", as: .server).code == "invalid_cursor")
        }
    }

    @Test(
        "impossible limits and states are rejected",
        arguments: [
            "tokens?limit=0", "tokens?limit=10001", "tokens?limit=x", "tokens?state=alive",
            "token-changes?after=-1",
        ])
    func rejected(path: String) async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            let response = try await server.send(.get, "/v1/\(path)", as: .server)
            #expect(response.status == 422)
            #expect(response.code == "invalid_field")
        }
    }

    @Test(
        "a value that nothing can have is rejected",
        arguments: ["account=%00", "account=\(String(repeating: "x", count: 256))", "tag=%FF", "cursor=%00"])
    func impossibleValue(query: String) async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            let response = try await server.send(.get, "/v1/tokens?\(query)", as: .server)
            #expect(response.status == 400)
            #expect(response.code == "invalid_parameter")
        }
    }

    @Test("only a server key may read feeds")
    func keys() async throws {
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            for path in ["/v1/tokens", "/v1/token-changes"] {
                #expect(try await server.send(.get, path, as: .device).status == 403)
                #expect(try await server.send(.get, path, as: .report).status == 403)
                #expect(try await server.send(.get, path, as: nil).status == 401)
            }
        }
    }

    @Test("the change feed returns the ledger in order, page by page, and where to continue")
    func changes() async throws {
        let phone = UUID()
        try await TestServer.run(settings: ["accounts": "trusted"]) { server async throws in
            #expect(try await server.changes().nextAfter == 0)
            _ = try await server.put(phone, registration(tokenValue(1)))
            _ = try await server.put(phone, registration(tokenValue(2)))
            _ = try await server.logOut(phone)
            let first = try await server.changes(limit: 2)
            #expect(first.changes.map(\.rule) == ["registered", "registered"])
            #expect(first.changes.map(\.from) == [nil, nil])
            let second = try await server.changes(after: first.nextAfter, limit: 10)
            #expect(second.changes.map(\.rule) == ["rotated", "logged_out"])
            #expect(second.changes.map(\.value) == [tokenValue(1), tokenValue(2)])
            #expect(second.changes.map(\.to) == ["retired", "retired"])
            #expect(second.changes.allSatisfy { $0.deviceId == phone.uuidString.lowercased() })
            let end = try await server.changes(after: second.nextAfter)
            #expect(end.changes.isEmpty)
            #expect(end.nextAfter == second.nextAfter)
        }
    }
}
