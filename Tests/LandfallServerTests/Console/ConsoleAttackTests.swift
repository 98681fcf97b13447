import Access
import Foundation
import HTTPTypes
import Instants
import People
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// Attacks by people without a role, and by pages of other sites.
@Suite(.database, .timeLimit(.minutes(40))) struct ConsoleAttackTests {
    @Test("without a session, every page leads to the sign-in and then back")
    func noSession() async throws {
        try await TestServer.run { server in
            let visitor = ConsoleVisitor(server)
            for path in ["/", "/apps/shop", "/apps/shop/funnel?by=day", "/settings/keys", "/glossary"] {
                let response = try await visitor.get(path)
                #expect(response.status == 303)
                #expect(response.location?.hasPrefix("/sign-in") == true)
            }
            let response = try await visitor.get("/apps/shop/funnel?by=day")
            #expect(response.location == "/sign-in?next=%2Fapps%2Fshop%2Ffunnel%3Fby%3Dday")
        }
    }

    @Test("a link works once, also if two use it at the same time")
    func oneTimeLink() async throws {
        try await TestServer.run { server in
            let link = try await TestDatabase.current.pool.withConnection { connection in
                try PeopleDirectory.add("ada", Grants(.viewer, in: nil), now: .now, on: connection).link
            }
            let visitor = ConsoleVisitor(server)
            // Mail programs open links, too.
            #expect(try await visitor.get(link.path).status == 200)
            let fields = ["passphrase": ConsoleVisitor.passphrase, "again": ConsoleVisitor.passphrase]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await visitor.post(link.path, fields).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 303 } == 1)
            #expect(statuses.count { $0 == 404 } == 3)
            #expect(try await visitor.get(link.path).status == 404)
        }
    }

    @Test("a planted cookie is worth nothing after the sign-in")
    func fixation() async throws {
        try await TestServer.run { server in
            _ = try await ConsoleVisitor.withPassphrase(server)
            var victim = ConsoleVisitor(server)
            victim.cookie = "landfall=\(Secret.random().text)"
            let fields = ["name": "ada@example.com", "passphrase": ConsoleVisitor.passphrase, "next": "/"]
            let response = try await victim.post("/sign-in", fields)
            #expect(response.status == 303)
            #expect(response.cookie != victim.cookie)
            #expect(try await victim.get("/").status == 303)
        }
    }

    @Test("signing in again, and signing out, ends the session that the browser had")
    func sessionEnds() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.withPassphrase(server)
            let fields = ["name": "ADA@example.com", "passphrase": ConsoleVisitor.passphrase]
            var again = visitor
            again.cookie = try #require(try await visitor.post("/sign-in", fields).cookie)
            #expect(try await visitor.get("/").status == 303)
            #expect(try await again.get("/").status == 200)
            let response = try await again.act("/sign-out")
            #expect(response.location == "/sign-in")
            #expect(response.cookie == "landfall=")
            #expect(try await again.get("/").status == 303)
        }
    }

    @Test("a wrong name and a wrong passphrase get the same page, and too many attempts get 429")
    func guessing() async throws {
        try await TestServer.run { server in
            _ = try await ConsoleVisitor.withPassphrase(server)
            let visitor = ConsoleVisitor(server)
            let unknown = try await visitor.post(
                "/sign-in", ["name": "eve", "passphrase": "wrong wrong wrong"])
            let known = try await visitor.post(
                "/sign-in", ["name": "ada@example.com", "passphrase": "wrong wrong wrong"])
            #expect(unknown.status == 403 && known.status == 403)
            #expect(
                unknown.text.replacing("eve", with: "") == known.text.replacing("ada@example.com", with: ""))
            var statuses: Set<Int> = []
            for _ in 0..<25 {
                statuses.insert(
                    try await visitor.post("/sign-in", ["name": "eve", "passphrase": "x"]).status)
            }
            #expect(statuses == [403, 429])
        }
    }

    @Test("others who use up a name's attempts do not lock its person out of a place where they signed in")
    func lockingOut() async throws {
        try await TestServer.run(
            configure: { $0.limits.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self) }
        ) { server in
            _ = try await ConsoleVisitor.withPassphrase(server)
            let visitor = ConsoleVisitor(server)
            func signIn(_ passphrase: String, from address: String?) async throws -> Int {
                var headers: HTTPFields = [.init("Sec-Fetch-Site")!: "same-origin"]
                if let address { headers[.init("X-Forwarded-For")!] = address }
                return try await visitor.post(
                    "/sign-in", ["name": "ada@example.com", "passphrase": passphrase], headers: headers
                ).status
            }
            var number = 0
            repeat { number += 1 } while try await signIn("x", from: "198.51.100.\(number)") == 403
            // One more for every 50 seconds that hashing took.
            #expect((21...30).contains(number))
            #expect(try await signIn(ConsoleVisitor.passphrase, from: "198.51.100.99") == 429)
            #expect(try await signIn(ConsoleVisitor.passphrase, from: nil) == 303)
        }
    }

    @Test(
        "a form of another origin changes nothing",
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
            ["Origin": "https://evil.example"], ["Origin": "null"], [:],
        ])
    func otherOrigin(_ fields: [String: String]) async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            let token = try #require(try await visitor.get("/").formToken)
            var headers: HTTPFields = [:]
            for (name, value) in fields { headers[HTTPField.Name(name)!] = value }
            for path in ["/sign-out", "/settings/keys", "/settings/people"] {
                let response = try await visitor.post(
                    path,
                    ["form_token": token, "app": "shop", "kind": "server", "name": "eve", "role": "admin"],
                    headers: headers)
                #expect(response.status == 403)
            }
            #expect(try await visitor.get("/").status == 200)
            #expect(try await TestDatabase.current.count("SELECT count(*) FROM landfall.person") == 1)
        }
    }

    @Test("a form needs the token of its own session")
    func formToken() async throws {
        try await TestServer.run { server in
            let ada = try await ConsoleVisitor.signedIn(server)
            let eve = try await ConsoleVisitor.signedIn(server, as: .viewer, name: "eve")
            let hers = try #require(try await eve.get("/").formToken)
            for token in ["", "x", hers] {
                let response = try await ada.post(
                    "/settings/keys", ["app": "shop", "kind": "server", "form_token": token])
                #expect(response.status == 403)
            }
        }
    }

    @Test("the address after the sign-in is always one of the console")
    func openRedirect() async throws {
        try await TestServer.run { server in
            _ = try await ConsoleVisitor.withPassphrase(server)
            let visitor = ConsoleVisitor(server)
            let places = [
                "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)",
                "/\t/evil.example", "/%0d%0aSet-Cookie:x=1\r\nX: y", "evil",
            ]
            for place in places {
                let response = try await visitor.post(
                    "/sign-in",
                    ["name": "ada@example.com", "passphrase": ConsoleVisitor.passphrase, "next": place])
                #expect(response.location == "/", "\(place)")
            }
            let response = try await visitor.post(
                "/sign-in",
                [
                    "name": "ada@example.com", "passphrase": ConsoleVisitor.passphrase,
                    "next": "/apps/shop/funnel?by=day",
                ])
            #expect(response.location == "/apps/shop/funnel?by=day")
        }
    }

    @Test("an app of others is as unknown as one that does not exist")
    func foreignApp() async throws {
        try await TestServer.run { server in
            let (other, _) = try await TestServer.makeApp("bank")
            let visitor = try await ConsoleVisitor.signedIn(server, as: .operator, in: server.app)
            #expect(try await visitor.get("/apps/shop").status == 200)
            for page in [
                "", "/funnel", "/doctor", "/breakers", "/quarantine", "/explain", "/live", "/changes",
            ] {
                let foreign = try await visitor.get("/apps/bank\(page)")
                let missing = try await visitor.get("/apps/none\(page)")
                #expect(foreign.status == 404 && missing.status == 404)
                #expect(foreign.text == missing.text)
            }
            #expect(try await visitor.act("/apps/\(other.slug)/breakers/release").status == 404)
            #expect(try await !visitor.get("/").text.contains("bank"))
        }
    }

    @Test("the story of an id says nothing of the apps of others")
    func foreignStory() async throws {
        try await TestServer.run { server in
            let (bank, keys) = try await TestServer.makeApp("bank")
            let event = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))"}
                """
            #expect(try await server.with(keys: keys, app: bank).post(event).counts == [1, 0, 0])
            let visitor = try await ConsoleVisitor.signedIn(server, as: .viewer, in: server.app)
            let stories = [
                try await visitor.act("/apps/shop/explain", ["subject": notificationID(1)]),
                try await visitor.act("/apps/shop/explain", ["subject": tokenValue(1)]),
                try await visitor.get("/apps/shop/explain?notification=\(notificationID(1))"),
            ]
            for page in stories {
                #expect(page.status == 200)
                #expect(page.text.contains("&#39;shop&#39; has no"))
                #expect(!page.text.contains("bank"))
            }
        }
    }

    @Test("a viewer cannot act, and only an admin of all apps reaches the settings")
    func roles() async throws {
        try await TestServer.run { server in
            let viewer = try await ConsoleVisitor.signedIn(server, as: .viewer, name: "vera")
            #expect(try await viewer.get("/apps/shop/breakers").status == 200)
            #expect(try await viewer.get("/apps/shop/breakers/release").status == 403)
            #expect(try await viewer.act("/apps/shop/breakers/release").status == 403)
            #expect(try await viewer.get("/apps/shop/quarantine/drop?code=unknown_type").status == 403)
            let local = try await ConsoleVisitor.signedIn(
                server, as: .admin, in: server.app, name: "lara")
            for visitor in [viewer, local] {
                for page in ["people", "audit", "health", "retention"] {
                    #expect(try await visitor.get("/settings/\(page)").status == 403)
                }
                #expect(
                    try await visitor.act("/settings/people", ["name": "eve", "role": "admin"]).status == 403)
            }
            // The keys of one's own app, and of no other.
            let (bank, _) = try await TestServer.makeApp("bank")
            let keys = try await local.get("/settings/keys").text
            #expect(keys.contains("shop") && !keys.contains("bank"))
            #expect(try await viewer.get("/settings/keys").status == 403)
            let key = ["kind": "server"]
            #expect(try await viewer.act("/settings/keys", key.merging(["app": "shop"]) { $1 }).status == 403)
            #expect(try await local.act("/settings/keys", key.merging(["app": "bank"]) { $1 }).status == 400)
            #expect(try await local.act("/settings/keys", key.merging(["app": "shop"]) { $1 }).status == 200)
            #expect(try await local.act("/settings/keys/\(bank.slug)/1/revoke").status == 404)
        }
    }

    @Test("no text from outside becomes markup, and pages allow only what is the console's own")
    func markup() async throws {
        try await TestServer.run { server in
            let name = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u{1B}[31m"
            let event = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))","campaign":"<script>alert(1)</script>\\"'><img src=x onerror=alert(1)>"}
                """
            #expect(try await server.post("[\(event)]").counts == [1, 0, 0])
            let visitor = try await ConsoleVisitor.signedIn(server, name: "<b>ada</b>")
            let query = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let pages = [
                "/", "/apps/shop", "/apps/shop/funnel?by=campaign", "/apps/shop/funnel?campaign=\(query)",
                "/apps/shop/funnel?by=\(query)", "/apps/shop/funnel?tz=\(query)",
                "/apps/shop/breakers?done=\(query)", "/settings/people", "/settings/audit",
            ]
            for page in pages {
                let response = try await visitor.get(page)
                #expect([200, 400].contains(response.status))
                for markup in ["<script>", "<img", "<b>", "\u{1B}"] {
                    #expect(!response.text.contains(markup), "\(page) \(markup)")
                }
                #expect(!response.text.contains(" style="))
                let policy = response.headers[.init("Content-Security-Policy")!] ?? ""
                #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self'"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(response.headers[.init("Referrer-Policy")!] == "no-referrer")
                #expect(response.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("a link cannot make the console say that something was done")
    func forgedNotice() async throws {
        try await TestServer.run { server in
            let ada = try await ConsoleVisitor.signedIn(server)
            let added = try await ada.act("/apps/shop/annotations", ["text": "Release 2"])
            let place = try #require(added.headers[.location])
            let notice = "class=\"done\""
            #expect(try await ada.get(place).text.contains(notice))
            let eve = try await ConsoleVisitor.signedIn(server, name: "eve")
            #expect(try await !eve.get(place).text.contains(notice))
            let forged = place.replacing("Noted", with: "Removed")
            #expect(forged != place)
            #expect(try await !ada.get(forged).text.contains(notice))
            #expect(try await !ada.get("/apps/shop/annotations?done=Noted.").text.contains(notice))
        }
    }

    @Test("the cookie is for this host alone, and over HTTPS alone unless the browser is on the same machine")
    func cookie() async throws {
        try await TestServer.run { server in
            _ = try await ConsoleVisitor.withPassphrase(server)
            let visitor = ConsoleVisitor(server)
            let fields = ["name": "ada@example.com", "passphrase": ConsoleVisitor.passphrase]
            let near = try await visitor.post("/sign-in", fields)
            #expect(near.headers[.setCookie]?.hasSuffix("; Path=/; HttpOnly; SameSite=Lax") == true)
            let far = try await visitor.post(
                "/sign-in", fields,
                headers: [
                    .init("Sec-Fetch-Site")!: "same-origin", .init("X-Forwarded-For")!: "192.0.2.1",
                ])
            #expect(far.headers[.setCookie]?.hasPrefix("__Host-landfall=") == true)
            #expect(far.headers[.setCookie]?.hasSuffix("; SameSite=Lax; Secure") == true)
        }
    }

    @Test("without the console, none of its paths exist")
    func disabled() async throws {
        try await TestServer.run(configure: { $0.web.isEnabled = false }) { server async throws in
            for path in ["/", "/sign-in", "/apps/shop", "/glossary"] {
                #expect(try await ConsoleVisitor(server).get(path).status == 404)
            }
        }
    }
}
