import Access
import DeliveryModel
import Foundation
import HTTPTypes
import People
import PostgresClient
import Synchronization
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

    @Test("a session that ended on a page with a long query leads back to it, or to the page without it")
    func longQuery() async throws {
        try await TestServer.run { server in
            func page(_ count: Int) -> String {
                let values = (0..<count).map { "campaign=\($0)\(String(repeating: "x", count: 150))" }
                return "/apps/shop/funnel?\(values.joined(separator: "&"))"
            }
            let visitor = try await ConsoleVisitor.withPassphrase(server)
            #expect(try await visitor.get(page(3)).status == 200)
            let stranger = ConsoleVisitor(server)
            for (asked, next) in [(page(3), page(3)), (page(20), "/apps/shop/funnel")] {
                let needed = try await stranger.get(asked)
                #expect(needed.status == 303)
                let form = try await stranger.get(try #require(needed.location))
                #expect(form.status == 200)
                #expect(form.text.contains("\"\(next.replacing("&", with: "&amp;"))\""))
                let fields = [
                    "name": "ada@example.com", "passphrase": ConsoleVisitor.passphrase, "next": next,
                ]
                let signedIn = try await stranger.post("/sign-in", fields)
                #expect(signedIn.status == 303)
                #expect(signedIn.location == next)
            }
        }
    }

    @Test("a link works once, also if two use it at the same time")
    func oneTimeLink() async throws {
        try await TestServer.run { server in
            let link = try await TestDatabase.current.front.pool.withConnection { connection in
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
        let start = ContinuousClock.now
        try await TestServer.run(configure: { $0.limits.steadyTime = { start } }) { server in
            _ = try await ConsoleVisitor.withPassphrase(server)
            let visitor = ConsoleVisitor(server)
            let unknown = try await visitor.post(
                "/sign-in", ["name": "eve", "passphrase": "wrong wrong wrong"])
            let known = try await visitor.post(
                "/sign-in", ["name": "ada@example.com", "passphrase": "wrong wrong wrong"])
            #expect(unknown.status == 403 && known.status == 403)
            #expect(
                unknown.text.replacing("eve", with: "") == known.text.replacing("ada@example.com", with: ""))
            var statuses: [Int] = []
            for _ in 0..<25 {
                statuses.append(
                    try await visitor.post("/sign-in", ["name": "eve", "passphrase": "x"]).status)
            }
            // The address has 20 attempts, of which two are used up.
            #expect(statuses == Array(repeating: 403, count: 18) + Array(repeating: 429, count: 7))
        }
    }

    @Test("others who use up a name's attempts do not lock its person out of a place where they signed in")
    func lockingOut() async throws {
        let start = ContinuousClock.now
        try await TestServer.run(configure: {
            $0.limits.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
            $0.limits.steadyTime = { start }
        }) { server in
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
            #expect(number == 21)
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
            #expect(try await TestDatabase.current.front.count("SELECT count(*) FROM landfall.person") == 1)
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
                "/connect", "/connect/gorush",
            ] {
                let foreign = try await visitor.get("/apps/bank\(page)")
                let missing = try await visitor.get("/apps/none\(page)")
                #expect(foreign.status == 404 && missing.status == 404)
                #expect(foreign.text == missing.text)
            }
            #expect(try await visitor.act("/apps/\(other.slug)/breakers/release").status == 404)
            #expect(try await visitor.act("/apps/\(other.slug)/connect/gorush").status == 404)
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
            #expect(try await viewer.act("/apps/shop/connect/gorush").status == 403)
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
                "/apps/shop/breakers?done=\(query)", "/apps/shop/connect/curl", "/settings/people",
                "/settings/audit",
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

    /// Opens the owner's one-time link, and returns the cookie.
    private func cookie(_ server: TestServer, _ headers: HTTPFields = [:]) async throws -> String? {
        let link = try await TestDatabase.current.front.pool.withConnection {
            try PeopleDirectory.ownerLink(now: .now, on: $0)
        }
        return try await ConsoleVisitor(server).get(link.path, headers: headers).headers[.setCookie]
    }

    @Test("the cookie is for this host alone, and over HTTPS alone unless the browser is on the same machine")
    func cookie() async throws {
        try await TestServer.run { server in
            let near = try await cookie(server)
            #expect(near?.hasPrefix("landfall=") == true)
            #expect(near?.hasSuffix("; Path=/; HttpOnly; SameSite=Lax") == true)
            for name in [
                "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Server", "Forwarded", "Via", "X-Real-IP",
                "CF-Connecting-IP",
            ] {
                let far = try await cookie(server, [.init(name)!: "192.0.2.1"])
                #expect(far?.hasPrefix("__Host-landfall=") == true, "\(name)")
                #expect(far?.hasSuffix("; SameSite=Lax; Secure") == true, "\(name)")
            }
        }
    }

    @Test("if the settings name a proxy, the cookie needs HTTPS even if the proxy adds no field")
    func cookieBehindProxy() async throws {
        try await TestServer.run(configure: { $0.limits.trustedProxies = [AddressRange("10.0.0.1")!] }) {
            server async throws in
            #expect(try await cookie(server)?.hasPrefix("__Host-landfall=") == true)
        }
        try await TestServer.run(app: "bank", configure: { $0.web.proxyUserHeader = "X-User" }) {
            server async throws in
            #expect(try await cookie(server)?.hasPrefix("__Host-landfall=") == true)
        }
    }

    @Test("a filter has at most 20 values, and a page grows no faster than its address")
    func manyFilters() async throws {
        try await TestServer.run { server in
            let event = """
                {"type":"response","notification_id":"\(notificationID(1))","provider":"apns","status":200,\
                "token":"\(tokenValue(1))","campaign":"spring"}
                """
            #expect(try await server.post(event).counts == [1, 0, 0])
            let visitor = try await ConsoleVisitor.signedIn(server, as: .viewer)
            func query(_ dimension: String, _ count: Int) -> String {
                (0..<count).map { "\(dimension)=value-with-a-long-name-\($0)" }.joined(separator: "&")
            }
            let tooMany = try await visitor.get("/apps/shop/funnel?\(query("campaign", 21))")
            #expect(tooMany.status == 400)
            #expect(tooMany.text.contains("&#39;campaign&#39; is given more than 20 times"))
            let attack = try await visitor.get("/apps/shop/funnel?\(query("variant", 420))")
            #expect(attack.status == 400)
            #expect(attack.text.utf8.count < 10_000)
            let most = ["campaign", "variant", "topic", "language", "platform", "os_version", "app_version"]
                .map { query($0, 20) }.joined(separator: "&")
            for page in ["funnel", "clicks", "rejections", "latency", "loss", "reach", "extension"] {
                let response = try await visitor.get("/apps/shop/\(page)?\(most)")
                #expect(response.status == 200)
                #expect(
                    response.text.utf8.count < 30 * most.utf8.count, "\(page): \(response.text.utf8.count)")
            }
            // The interface for programs has the same bound.
            let report = try await server.send(
                .get, "/v1/reports/funnel?\(query("campaign", 21))", as: .report)
            #expect(report.code == "invalid_parameter")
        }
    }

    @Test("while the console's threads are busy, posts get their responses")
    func busyConsole() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            let busy = Blockade()
            defer { busy.lift() }
            for _ in 0..<ConsoleExecutor.size {
                Task(executorPreference: ConsoleExecutor.shared) { busy.pass() }
            }
            await busy.isFull(of: ConsoleExecutor.size)
            let isDone = Mutex(false)
            let page = Task {
                let response = try await visitor.get("/apps/shop")
                isDone.withLock { $0 = true }
                return response
            }
            for number in 1...20 {
                let event = """
                    {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
                    "token":"\(tokenValue(number))"}
                    """
                let response = try await server.post(event)
                #expect(response.status == 200, "\(response.text)")
            }
            #expect(isDone.withLock { $0 } == false)
            busy.lift()
            #expect(try await page.value.status == 200)
        }
    }

    @Test("while the passphrases of others are checked, people with a link sign in")
    func busyDesk() async throws {
        try await TestServer.run { server in
            let (link, owner) = try await TestDatabase.current.front.pool.withConnection { connection in
                (
                    try PeopleDirectory.add("ada", Grants(.viewer, in: nil), now: .now, on: connection).link,
                    try PeopleDirectory.ownerLink(now: .now, on: connection)
                )
            }
            let (busy, desk) = (Blockade(), PassphraseDesk.forChecks())
            defer { busy.lift() }
            let blocked = (0..<2).map { number in
                Task { try await desk.run(from: IPAddress(high: 0, low: UInt64(number))) { busy.pass() } }
            }
            await busy.isFull(of: 2)
            let visitor = ConsoleVisitor(server)
            let fields = ["passphrase": ConsoleVisitor.passphrase, "again": ConsoleVisitor.passphrase]
            #expect(try await visitor.post(link.path, fields).status == 303)
            #expect(try await visitor.get(owner.path).status == 303)
            busy.lift()
            for task in blocked { try await task.value }
        }
    }

    @Test("an address whose name PostgreSQL cannot store is as unknown as any other")
    func impossibleNames() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            for name in ["%00", "a%00b", String(repeating: "a", count: 256)] {
                #expect(try await visitor.get("/apps/shop/campaigns/\(name)").status == 404, "\(name)")
                #expect(try await visitor.get("/apps/\(name)").status == 404, "\(name)")
            }
            #expect(try await visitor.get("/apps/shop/campaigns/spring?with=%00").status == 400)
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
