import DeliveryModel
import People
import PostgresClient
import TestDatabase
import Testing

@Suite("Sessions", .database) struct SessionTests {
    private let bench = PeopleBench()

    private func find(_ secret: Secret, after span: Span, on connection: PostgresConnection) throws
        -> Session?
    {
        try Sessions.find(secret, now: bench.now + span, on: connection)
    }

    private func column<Value: PostgresValue>(
        _ expression: String, as type: Value.Type
    ) async throws -> [Value] {
        try await TestDatabase.current.front.query(
            "SELECT \(expression) FROM landfall.session ORDER BY last_seen_at DESC"
        ) { try $0.get(0, as: type) }
    }

    @Test("a session is found by its secret, with its person")
    func found() async throws {
        let connection = try bench.connect()
        let ada = try bench.person(on: connection)
        let secret = try bench.session(ada, on: connection)
        let session = try #require(try find(secret, after: .minutes(0), on: connection))
        #expect(session.person == ada && session.method == .passphrase)
        let browser = "address || ' ' || user_agent"
        #expect(try await column(browser, as: String.self) == ["192.0.2.7 Firefox"])
        #expect(try await column("started_at", as: Instant.self) == [bench.now])
    }

    @Test("a session ends 12 hours after its last use")
    func idle() throws {
        let connection = try bench.connect()
        let secret = try bench.session(try bench.person(on: connection), on: connection)
        #expect(try find(secret, after: .hours(11), on: connection) != nil)
        #expect(try find(secret, after: .hours(22), on: connection) != nil)
        #expect(try find(secret, after: .hours(34), on: connection) == nil)
        #expect(try find(secret, after: .seconds(34 * 3_600 - 1), on: connection) != nil)
    }

    @Test("a session ends after 30 days, however often it is used")
    func longest() throws {
        let connection = try bench.connect()
        let secret = try bench.session(try bench.person(on: connection), on: connection)
        for hour in stride(from: Int64(6), to: 30 * 24, by: 6) {
            #expect(try find(secret, after: .hours(hour), on: connection) != nil)
        }
        #expect(try find(secret, after: .seconds(30 * 86_400 - 1), on: connection) != nil)
        #expect(try find(secret, after: .days(30), on: connection) == nil)
    }

    @Test("use is written at most once a minute")
    func touch() async throws {
        let connection = try bench.connect()
        let ada = try bench.person(on: connection)
        let secret = try bench.session(ada, on: connection)
        func lastSeen() async throws -> Instant? {
            try await column("last_seen_at", as: Instant.self).first
        }
        _ = try find(secret, after: .seconds(59), on: connection)
        #expect(try await lastSeen() == bench.now)
        _ = try find(secret, after: .seconds(60), on: connection)
        #expect(try await lastSeen() == bench.now + .seconds(60))
        // A server whose clock is late does not turn it back.
        _ = try find(secret, after: .seconds(-120), on: connection)
        #expect(try await lastSeen() == bench.now + .seconds(60))
    }

    @Test("a session works while the database accepts no writes")
    func readOnly() async throws {
        let connection = try bench.connect()
        let secret = try bench.session(try bench.person(on: connection), on: connection)
        try await TestDatabase.current.front.execute(
            "ALTER DATABASE \(TestDatabase.current.front.name) SET default_transaction_read_only = on")
        #expect(try find(secret, after: .hours(1), on: try bench.connect()) != nil)
    }

    @Test("every sign-in gets a new secret, and one that a browser brings never becomes a session")
    func fixation() throws {
        let connection = try bench.connect()
        let ada = try bench.person(on: connection)
        let planted = Secret.random()
        #expect(try find(planted, after: .minutes(0), on: connection) == nil)
        let secrets = try (0..<2).map { _ in try bench.session(ada, on: connection) }
        #expect(Set(secrets.map(\.text) + [planted.text]).count == 3)
        #expect(try find(planted, after: .minutes(0), on: connection) == nil)
    }

    @Test("forms of one session have a token of their own, which does not contain the secret")
    func formToken() throws {
        let connection = try bench.connect()
        let ada = try bench.person(on: connection)
        let secrets = try (0..<2).map { _ in try bench.session(ada, on: connection) }
        let sessions = try secrets.map { try #require(try find($0, after: .minutes(0), on: connection)) }
        let token = sessions[0].formToken
        #expect(try find(secrets[0], after: .minutes(5), on: connection)?.formToken == token)
        #expect(sessions[0].accepts(formToken: token) && !sessions[1].accepts(formToken: token))
        #expect(!sessions[0].accepts(formToken: "") && token != secrets[0].text)
        let guess = try #require(Secret(text: token))
        #expect(try find(guess, after: .minutes(0), on: connection) == nil)
    }

    @Test("signing out ends one session, and signing out everywhere all of this person")
    func ends() throws {
        let connection = try bench.connect()
        let (ada, bob) = try (bench.person("ada", on: connection), bench.person("bob", on: connection))
        let secrets = try [ada, ada, ada, bob].map { try bench.session($0, on: connection) }
        func alive() throws -> [Bool] {
            try secrets.map { try find($0, after: .minutes(0), on: connection) != nil }
        }
        try Sessions.end(secrets[0], on: connection)
        #expect(try alive() == [false, true, true, true])
        let id = try #require(try find(secrets[1], after: .minutes(0), on: connection)).id
        try Sessions.end(id: id, of: bob, on: connection)
        #expect(try alive() == [false, true, true, true])
        try Sessions.end(id: id, of: ada, on: connection)
        #expect(try alive() == [false, false, true, true])
        try Sessions.endAll(of: ada, on: connection)
        #expect(try alive() == [false, false, false, true])
    }

    @Test("what has expired is removed, and nothing else")
    func expired() async throws {
        let connection = try bench.connect()
        let (shop, _) = try bench.apps(on: connection)
        let ada = try bench.person(on: connection)
        let secret = try bench.session(ada, at: bench.now + .hours(20), on: connection)
        _ = try bench.session(ada, on: connection)
        _ = try PeopleDirectory.ownerLink(now: bench.now, on: connection)
        _ = try ShareLinks.create(
            "/apps/shop/funnel", of: shop, title: "Funnel", isRolling: true,
            expiresAt: bench.now + .hours(2), by: ada, now: bench.now, on: connection)
        try Sessions.removeExpired(now: bench.now + .hours(24), on: connection)
        #expect(try find(secret, after: .hours(24), on: connection) != nil)
        for (table, count) in [("session", 1), ("sign_in_link", 0), ("share_link", 0), ("person", 2)] {
            let rows = try await TestDatabase.current.front.count("SELECT count(*) FROM landfall.\(table)")
            #expect(rows == count, "\(table)")
        }
    }

    @Test("what a browser sends is stored in one line and cut")
    func hostileBrowser() async throws {
        let connection = try bench.connect()
        let ada = try bench.person(on: connection)
        _ = try Sessions.begin(
            ada, by: .proxy, address: "::1", userAgent: "a\u{0}b\n" + String(repeating: "x", count: 9_000),
            now: bench.now, on: connection)
        let agent = try #require(try await column("user_agent", as: String.self).first)
        #expect(agent.hasPrefix("a\\u0000b\\nx") && agent.count == 400)
    }
}
