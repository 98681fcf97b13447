import People
import PostgresClient
import TestDatabase
import Testing

@Suite("Sign-in links and passphrases", .database) struct SignInLinkTests {
    private let bench = PeopleBench()

    private func use(_ link: SignInLink, _ passphrase: String?, on connection: PostgresConnection) throws
        -> Person?
    {
        try PeopleDirectory.useLink(
            link.secret, passphrase: passphrase.map { try Passphrase.hash($0) }, now: bench.now,
            on: connection)
    }

    @Test("a link sets the passphrase once")
    func once() throws {
        let connection = try bench.connect()
        let link = try PeopleDirectory.add("ada", Grants(.viewer), now: bench.now, on: connection).link
        #expect(link.path == "/sign-in/link/\(link.secret.text)")
        let opened = try #require(try PeopleDirectory.openLink(link.secret, now: bench.now, on: connection))
        #expect(opened.person.name == "ada" && opened.kind == .setPassphrase)
        let person = try #require(try use(link, PeopleBench.passphrase, on: connection))
        #expect(person.name == "ada" && person.hasPassphrase)
        #expect(try use(link, PeopleBench.passphrase, on: connection) == nil)
        #expect(try PeopleDirectory.openLink(link.secret, now: bench.now, on: connection) == nil)
        #expect(try bench.person("Ada", with: PeopleBench.passphrase, on: connection) == person)
    }

    @Test("of several clients that use a link at once, one is signed in")
    func atOnce() async throws {
        let connection = try bench.connect()
        let link = try PeopleDirectory.ownerLink(now: bench.now, on: connection)
        let now = bench.now
        let people = try await withThrowingTaskGroup(of: Person?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await TestDatabase.current.front.pool.withConnection { connection in
                        try PeopleDirectory.useLink(link.secret, now: now, on: connection)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(people.count == 8 && people.compactMap(\.self).map(\.name) == ["owner"])
    }

    @Test("of two that use a link in open transactions, the later one waits and gets nothing")
    func atOnceInTransactions() async throws {
        let (first, link) = try { () throws in
            let connection = try bench.connect()
            return (connection, try PeopleDirectory.ownerLink(now: bench.now, on: connection))
        }()
        let now = bench.now
        let later = try first.transaction {
            let person = try PeopleDirectory.useLink(link.secret, now: now, on: first)
            #expect(person?.name == "owner")
            return Task {
                try await TestDatabase.current.front.pool.withConnection { connection in
                    try PeopleDirectory.useLink(link.secret, now: now, on: connection)
                }
            }
        }
        #expect(try await later.value == nil)
    }

    @Test("a link expires: to set a passphrase after 24 hours, to sign in after one")
    func expiry() throws {
        let connection = try bench.connect()
        let link = try PeopleDirectory.add("ada", Grants(.viewer), now: bench.now, on: connection).link
        let owner = try PeopleDirectory.ownerLink(now: bench.now, on: connection)
        for (link, passphrase, lifetime) in [
            (link, PeopleBench.passphrase, Span.hours(24)), (owner, nil as String?, .hours(1)),
        ] {
            #expect(link.expiresAt == bench.now + lifetime)
            let late = bench.now + lifetime
            #expect(try PeopleDirectory.openLink(link.secret, now: late, on: connection) == nil)
            #expect(
                try PeopleDirectory.useLink(
                    link.secret, passphrase: passphrase.map { try Passphrase.hash($0) }, now: late,
                    on: connection)
                    == nil)
            let justInTime = late - Span(milliseconds: 1)
            #expect(
                try PeopleDirectory.useLink(
                    link.secret, passphrase: passphrase.map { try Passphrase.hash($0) }, now: justInTime,
                    on: connection)
                    != nil)
        }
    }

    @Test("a link cannot be used as the other kind, and an attempt does not use it up")
    func otherKind() throws {
        let connection = try bench.connect()
        let link = try PeopleDirectory.add("ada", Grants(.viewer), now: bench.now, on: connection).link
        let owner = try PeopleDirectory.ownerLink(now: bench.now, on: connection)
        #expect(try use(link, nil, on: connection) == nil)
        #expect(try use(owner, PeopleBench.passphrase, on: connection) == nil)
        #expect(throws: PeopleError.shortPassphrase) { try use(link, "short", on: connection) }
        #expect(try use(link, PeopleBench.passphrase, on: connection) != nil)
        #expect(try use(owner, nil, on: connection)?.hasPassphrase == false)
    }

    @Test("an unknown secret opens nothing")
    func unknown() throws {
        let connection = try bench.connect()
        _ = try bench.personWithPassphrase(on: connection)
        #expect(try PeopleDirectory.openLink(.random(), now: bench.now, on: connection) == nil)
        #expect(
            try PeopleDirectory.useLink(
                .random(), passphrase: Passphrase.hash(PeopleBench.passphrase), now: bench.now, on: connection
            )
                == nil)
    }

    @Test("a new link ends the passphrase, the earlier link and all sessions of this person only")
    func newLink() throws {
        let connection = try bench.connect()
        let ada = try bench.personWithPassphrase("ada", on: connection)
        let bob = try bench.personWithPassphrase("bob", on: connection)
        let sessions = try [ada, bob].map { try bench.session($0, on: connection) }
        let lost = try PeopleDirectory.newLink(for: "Ada", now: bench.now, on: connection)
        let link = try PeopleDirectory.newLink(for: "ada", now: bench.now, on: connection)
        #expect(try bench.person("ada", with: PeopleBench.passphrase, on: connection) == nil)
        #expect(try use(lost, PeopleBench.passphrase, on: connection) == nil)
        #expect(try Sessions.find(sessions[0], now: bench.now, on: connection) == nil)
        #expect(try Sessions.find(sessions[1], now: bench.now, on: connection)?.person == bob)
        #expect(try use(link, "another horse battery", on: connection) == ada)
        #expect(throws: PeopleError.noSuchPerson("eve")) {
            try PeopleDirectory.newLink(for: "eve", now: bench.now, on: connection)
        }
    }

    @Test("the owner stays the same person, an admin of all apps, and every link works once")
    func owner() throws {
        let connection = try bench.connect()
        let links = try (0..<2).map { _ in try PeopleDirectory.ownerLink(now: bench.now, on: connection) }
        let owners = try links.map { try #require(try use($0, nil, on: connection)) }
        #expect(owners[0] == owners[1] && owners[0].grants == Grants(.admin))
    }

    @Test("a wrong passphrase, an unknown name and a person without a passphrase get the same response")
    func failures() throws {
        let connection = try bench.connect()
        _ = try bench.personWithPassphrase("ada", on: connection)
        _ = try PeopleDirectory.add("bob", Grants(.admin), now: bench.now, on: connection)
        for (name, text) in [
            ("ada", "wrong horse battery"), ("eve", PeopleBench.passphrase), ("bob", PeopleBench.passphrase),
            ("a\u{0}da", PeopleBench.passphrase), ("ada", String(repeating: "a", count: 100_000)),
        ] {
            #expect(try bench.person(name, with: text, on: connection) == nil, "\(name)")
        }
    }

    @Test("unknown names take as long as known ones")
    func sameTime() throws {
        let connection = try bench.connect()
        _ = try bench.personWithPassphrase("ada", on: connection)
        func time(_ name: String) throws -> Duration {
            try ContinuousClock().measure {
                _ = try bench.person(name, with: "wrong horse battery", on: connection)
            }
        }
        // Without the comparison with a dummy, an unknown name takes less than a hundredth.
        let (known, unknown) = try (time("ada"), time("eve"))
        #expect(unknown > known / 10 && known > unknown / 10)
    }

    @Test("the database holds no secret and no passphrase")
    func digests() async throws {
        let connection = try bench.connect()
        let ada = try bench.personWithPassphrase(on: connection)
        let secret = try bench.session(ada, on: connection)
        let link = try PeopleDirectory.ownerLink(now: bench.now, on: connection)
        let tables = try await TestDatabase.current.front.query(
            """
            SELECT (SELECT string_agg(person::text, ' ') FROM landfall.person)
                || (SELECT string_agg(encode(digest, 'escape') || session::text, ' ') FROM landfall.session)
                || (SELECT string_agg(encode(digest, 'escape') || link::text, ' ') FROM landfall.sign_in_link AS link)
            """
        ) { try $0.get(0, as: String.self) }.joined()
        #expect(tables.contains("scrypt$"))
        for text in [secret.text, link.secret.text, PeopleBench.passphrase] {
            #expect(!tables.contains(text))
        }
    }
}
