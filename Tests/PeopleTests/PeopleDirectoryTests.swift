import DeliveryModel
import People
import PostgresClient
import TestDatabase
import Testing

@Suite("People and their grants", .database) struct PeopleDirectoryTests {
    private let bench = PeopleBench()

    @Test("a person is found by name in any case and by id, with all grants")
    func found() throws {
        let connection = try bench.connect()
        let (shop, news) = try bench.apps(on: connection)
        let grants = Grants(everywhere: .viewer, byApp: [shop.appID: .operator, news.appID: .admin])
        let (ada, _) = try PeopleDirectory.add("Ada@Example.com", grants, now: bench.now, on: connection)
        #expect(ada.name == "ada@example.com" && ada.grants == grants && !ada.hasPassphrase)
        #expect(try PeopleDirectory.find("ADA@example.com", on: connection) == ada)
        #expect(try PeopleDirectory.find(id: ada.id, on: connection) == ada)
        #expect(try PeopleDirectory.find("ada lovelace", on: connection) == nil)
        let (bob, _) = try PeopleDirectory.add("bob", Grants(), now: bench.now, on: connection)
        #expect(try PeopleDirectory.list(on: connection) == [ada, bob])
    }

    @Test("a name can be taken once, in any case")
    func taken() throws {
        let connection = try bench.connect()
        let ada = try bench.person("ada", on: connection)
        #expect(throws: PeopleError.nameTaken("ada")) {
            try PeopleDirectory.add("ADA", Grants(.admin), now: bench.now, on: connection)
        }
        #expect(try PeopleDirectory.list(on: connection) == [ada])
    }

    @Test("a grant replaces the role that the person had there, and leaves the others")
    func grants() throws {
        let connection = try bench.connect()
        let (shop, news) = try bench.apps(on: connection)
        let ada = try bench.person("ada", Grants(.viewer, in: shop), on: connection)
        try PeopleDirectory.grant(.operator, in: shop, to: "ada", on: connection)
        try PeopleDirectory.grant(.admin, in: news, to: "Ada", on: connection)
        try PeopleDirectory.grant(.viewer, in: nil, to: "ada", on: connection)
        let changed = try PeopleDirectory.grant(.operator, in: nil, to: "ada", on: connection)
        #expect(
            changed.grants
                == Grants(everywhere: .operator, byApp: [shop.appID: .operator, news.appID: .admin]))
        #expect(changed.id == ada.id)
        #expect(throws: PeopleError.noSuchPerson("eve")) {
            try PeopleDirectory.grant(.viewer, in: nil, to: "eve", on: connection)
        }
    }

    @Test("a revoked grant ends only the role that it names")
    func revoked() throws {
        let connection = try bench.connect()
        let (shop, news) = try bench.apps(on: connection)
        _ = try bench.person(
            "ada", Grants(everywhere: .viewer, byApp: [shop.appID: .admin]), on: connection)
        #expect(
            try PeopleDirectory.revokeGrant(in: nil, of: "ada", on: connection).grants
                == Grants(.admin, in: shop))
        #expect(throws: PeopleError.noSuchGrant(name: "ada", app: nil)) {
            try PeopleDirectory.revokeGrant(in: nil, of: "ada", on: connection)
        }
        #expect(throws: PeopleError.noSuchGrant(name: "ada", app: "news")) {
            try PeopleDirectory.revokeGrant(in: news, of: "ada", on: connection)
        }
        #expect(throws: PeopleError.noSuchPerson("eve")) {
            try PeopleDirectory.revokeGrant(in: shop, of: "eve", on: connection)
        }
    }

    @Test("a change of grants counts in sessions that have begun")
    func grantsOfSessions() throws {
        let connection = try bench.connect()
        let (shop, _) = try bench.apps(on: connection)
        let ada = try bench.person("ada", Grants(.admin, in: shop), on: connection)
        let secret = try bench.session(ada, on: connection)
        try PeopleDirectory.revokeGrant(in: shop, of: "ada", on: connection)
        let session = try #require(try Sessions.find(secret, now: bench.now, on: connection))
        #expect(session.person.grants.isEmpty)
    }

    @Test("a removed person is signed out, and leaves nothing but the audit")
    func removed() async throws {
        let connection = try bench.connect()
        let ada = try bench.person("ada", on: connection)
        let secret = try bench.session(ada, on: connection)
        let link = try PeopleDirectory.ownerLink(now: bench.now, on: connection)
        try Audit.record(ada, act: "sign_in", on: connection)
        try PeopleDirectory.remove("ADA", on: connection)
        try PeopleDirectory.remove("owner", on: connection)
        #expect(try Sessions.find(secret, now: bench.now, on: connection) == nil)
        #expect(try PeopleDirectory.openLink(link.secret, now: bench.now, on: connection) == nil)
        for table in ["person", "person_grant", "sign_in_link", "session"] {
            #expect(try await TestDatabase.current.front.count("SELECT count(*) FROM landfall.\(table)") == 0)
        }
        #expect(try Audit.list(on: connection).map(\.name) == ["ada"])
        #expect(throws: PeopleError.noSuchPerson("ada")) { try PeopleDirectory.remove("ada", on: connection) }
        #expect(throws: PeopleError.noSuchPerson("ada")) { try bench.session(ada, on: connection) }
    }
}
