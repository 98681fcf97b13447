import Foundation
import HTTPTypes
import People
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// Sign-in by a proxy that knows its users.
@Suite(.database, .timeLimit(.minutes(40))) struct ProxySignInTests {
    private static let secret = "the proxy and the server know it"

    private func run(
        proxy: String = "127.0.0.1", secret: String = Self.secret, groups: Bool = true,
        _ body: @escaping @Sendable (TestServer, ConsoleVisitor) async throws -> Void
    ) async throws {
        try await TestServer.run(configure: { configuration in
            configuration.web.proxyUserHeader = "X-Forwarded-Email"
            configuration.web.proxyGroupsHeader = groups ? "X-Forwarded-Groups" : ""
            configuration.web.proxySecret = secret
            configuration.limits.trustedProxies = [AddressRange(proxy)].compactMap { $0 }
        }) { server async throws in try await body(server, ConsoleVisitor(server)) }
    }

    private func fields(
        user: String?, secret: String? = Self.secret, groups: String? = nil
    ) -> HTTPFields {
        var fields: HTTPFields = [:]
        for (name, value) in [
            ("X-Forwarded-Email", user), ("Landfall-Proxy-Secret", secret), ("X-Forwarded-Groups", groups),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }

    @Test("a person in a group gets its role, and loses it with the group")
    func groups() async throws {
        try await run { _, visitor async throws in
            let viewer = fields(user: "Ada@example.com", groups: "staff, landfall-viewer")
            let response = try await visitor.get("/sign-in?next=/apps/shop", headers: viewer)
            #expect(response.status == 303)
            #expect(response.location == "/apps/shop")
            var ada = visitor
            ada.cookie = try #require(response.cookie)
            #expect(try await ada.get("/apps/shop", headers: viewer).status == 200)
            #expect(try await ada.get("/settings/keys", headers: viewer).status == 403)

            let admin = fields(user: "ada@example.com", groups: "landfall-admin")
            ada.cookie = try #require(try await visitor.get("/sign-in", headers: admin).cookie)
            #expect(try await ada.get("/settings/keys", headers: admin).status == 200)

            let none = fields(user: "ada@example.com", groups: "staff")
            ada.cookie = try #require(try await visitor.get("/sign-in", headers: none).cookie)
            #expect(try await ada.get("/apps/shop", headers: none).status == 404)
            let stranger = fields(user: "eve@example.com", groups: "staff")
            #expect(try await visitor.get("/sign-in", headers: stranger).status == 403)
        }
    }

    @Test("the groups of every request say what the person may do, and what they change is in the audit")
    func groupsOfEveryRequest() async throws {
        try await run { _, visitor async throws in
            let admin = fields(user: "ada", groups: "landfall-admin")
            let viewer = fields(user: "ada", groups: "landfall-viewer")
            let none = fields(user: "ada", groups: "staff")
            var ada = visitor
            ada.cookie = try #require(try await visitor.get("/sign-in", headers: admin).cookie)
            #expect(try await ada.get("/settings/keys", headers: admin).status == 200)
            #expect(try await ada.get("/settings/keys", headers: viewer).status == 403)
            #expect(try await ada.get("/apps/shop", headers: viewer).status == 200)
            #expect(try await ada.get("/apps/shop", headers: none).status == 404)
            #expect(try await ada.get("/apps/shop", headers: fields(user: "ada")).status == 404)
            #expect(try await ada.get("/settings/keys", headers: admin).status == 200)
            let entries = try await TestDatabase.current.front.pool.withConnection { try Audit.list(on: $0) }
            let changes = entries.reversed().filter { $0.name == Audit.proxy }
            #expect(
                changes.map { [$0.act, $0.subject, $0.address] } == [
                    ["person_added", "ada, admin", "127.0.0.1"],
                    ["role_granted", "ada, viewer", "127.0.0.1"],
                    ["role_revoked", "ada", "127.0.0.1"], ["role_granted", "ada, admin", "127.0.0.1"],
                ])
        }
    }

    @Test("a session that the proxy began works only through the proxy")
    func onlyThroughTheProxy() async throws {
        try await run { server, visitor async throws in
            let admin = fields(user: "ada", groups: "landfall-admin")
            var ada = visitor
            ada.cookie = try #require(try await visitor.get("/sign-in", headers: admin).cookie)
            for path in ["/", "/apps/shop", "/settings/keys", "/apps/shop/changes"] {
                #expect(try await ada.get(path).status == 303, "\(path)")
            }
            // Nor does it work without the proxy in the settings.
            let cookie = ada.cookie
            try await TestServer.run(app: "bank") { other async throws in
                var there = ConsoleVisitor(other)
                for cookie in [cookie, cookie.replacing("__Host-", with: "")] {
                    there.cookie = cookie
                    #expect(try await there.get("/").status == 303)
                }
            }
            #expect(try await ada.get("/apps/shop", headers: admin).status == 200)
        }
    }

    @Test(
        "a person who signs in here is another one than the proxy's of that name", arguments: [true, false])
    func namesake(groups: Bool) async throws {
        try await run(groups: groups) { server, visitor async throws in
            let owner = try await TestDatabase.current.front.pool.withConnection {
                try PeopleDirectory.ownerLink(now: .now, on: $0)
            }
            #expect(try await visitor.get(owner.path).status == 303)
            _ = try await ConsoleVisitor.withPassphrase(server)
            for name in ["owner", "Owner", "ada@example.com"] {
                let sent = fields(user: name, groups: groups ? "landfall-viewer" : nil)
                #expect(try await visitor.get("/sign-in", headers: sent).status == 403, "\(name)")
            }
            let people = try await TestDatabase.current.front.pool.withConnection {
                try PeopleDirectory.list(on: $0)
            }
            #expect(people.map(\.grants) == [Grants(.admin), Grants(.admin)])
        }
    }

    @Test("the proxy's owner is not the one who starts this server later")
    func earlierOwner() async throws {
        try await run { _, visitor async throws in
            let sent = fields(user: "owner", groups: "landfall-viewer")
            #expect(try await visitor.get("/sign-in", headers: sent).status == 403)
            #expect(try await TestDatabase.current.front.count("SELECT count(*) FROM landfall.person") == 0)
        }
    }

    @Test("a session is of the person whom the proxy names")
    func change() async throws {
        try await run { _, visitor async throws in
            let ada = fields(user: "ada", groups: "landfall-admin")
            var browser = visitor
            browser.cookie = try #require(try await visitor.get("/sign-in", headers: ada).cookie)
            #expect(try await browser.get("/", headers: ada).status == 200)
            let eve = fields(user: "eve", groups: "landfall-viewer")
            #expect(try await browser.get("/", headers: eve).status == 303)
        }
    }

    @Test("the field from anywhere but the proxy gets 400")
    func elsewhere() async throws {
        try await run(proxy: "192.0.2.1") { _, visitor async throws in
            let forged = fields(user: "ada", groups: "landfall-admin")
            for path in ["/", "/sign-in", "/apps/shop"] {
                #expect(try await visitor.get(path, headers: forged).status == 400)
            }
            #expect(try await visitor.get("/sign-in").status == 200)
        }
    }

    @Test("the field without the proxy's secret, or given twice, gets 400")
    func forged() async throws {
        try await run { _, visitor async throws in
            for secret in [nil, "", "wrong"] {
                let forged = fields(user: "ada", secret: secret, groups: "landfall-admin")
                #expect(try await visitor.get("/sign-in", headers: forged).status == 400)
            }
            var twice = fields(user: "ada", groups: "landfall-viewer")
            twice.append(HTTPField(name: .init("X-Forwarded-Email")!, value: "root"))
            #expect(try await visitor.get("/sign-in", headers: twice).status == 400)
        }
    }

    @Test("without a secret in the settings, no proxy signs anyone in")
    func failsClosed() async throws {
        try await run(secret: "") { _, visitor async throws in
            for secret in [nil, ""] {
                let sent = fields(user: "ada", secret: secret, groups: "landfall-admin")
                #expect(try await visitor.get("/sign-in", headers: sent).status == 400)
            }
        }
    }

    @Test("without groups, a person has to be known here")
    func known() async throws {
        try await run(groups: false) { _, visitor async throws in
            #expect(try await visitor.get("/sign-in", headers: fields(user: "ada")).status == 403)
            try await TestDatabase.current.front.pool.withConnection { connection in
                _ = try PeopleDirectory.add("ada", Grants(.viewer, in: nil), now: .now, on: connection)
            }
            #expect(try await visitor.get("/sign-in", headers: fields(user: "ada")).status == 303)
        }
    }
}
