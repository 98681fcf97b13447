import DeliveryModel
import People
import PostgresClient
import TestDatabase
import Testing

@Suite("Share links", .database) struct ShareLinkTests {
    private let bench = PeopleBench()
    private let path = "/apps/shop/funnel?from=7d&by=campaign&tz=Europe/Berlin"

    @Test("a link shows its page until it expires")
    func found() throws {
        let connection = try bench.connect()
        let (shop, _) = try bench.apps(on: connection)
        let ada = try bench.person(on: connection)
        let (link, secret) = try ShareLinks.create(
            path, of: shop, title: "Weekly funnel", isRolling: true, expiresAt: bench.now + .days(30),
            by: ada, now: bench.now, on: connection)
        #expect(link.expiresAt == bench.now + .days(30) && link.createdBy == ada.name)
        let last = link.expiresAt - Span(milliseconds: 1)
        #expect(try ShareLinks.find(secret, now: last, on: connection) == link)
        #expect(try ShareLinks.find(secret, now: link.expiresAt, on: connection) == nil)
        #expect(try ShareLinks.find(.random(), now: bench.now, on: connection) == nil)
        #expect(try Sessions.find(secret, now: bench.now, on: connection) == nil)
    }

    @Test("a link is listed and revoked in its own app only")
    func revoked() throws {
        let connection = try bench.connect()
        let (shop, news) = try bench.apps(on: connection)
        let ada = try bench.person(on: connection)
        let made = try ["a", "b"].map {
            try ShareLinks.create(
                path, of: shop, title: $0, isRolling: false, expiresAt: bench.now + .days(30), by: ada,
                now: bench.now, on: connection)
        }
        #expect(
            try ShareLinks.list(of: shop, now: bench.now, on: connection).map(\.title) == ["b", "a"])
        #expect(try ShareLinks.list(of: news, now: bench.now, on: connection) == [])
        let id = made[0].link.id
        #expect(throws: PeopleError.noSuchShareLink(id, app: "news")) {
            try ShareLinks.revoke(id, of: news, on: connection)
        }
        try ShareLinks.revoke(id, of: shop, on: connection)
        #expect(try ShareLinks.find(made[0].secret, now: bench.now, on: connection) == nil)
        #expect(try ShareLinks.find(made[1].secret, now: bench.now, on: connection) == made[1].link)
    }

    @Test(
        "only a page of this server can be shared",
        arguments: [
            "", "apps/shop", "//example.com", "/\\example.com", "https://example.com/", "/a b", "/a\r\nb",
            "/é",
            "/" + String(repeating: "a", count: 2_000),
        ])
    func otherPaths(path: String) throws {
        let connection = try bench.connect()
        let (shop, _) = try bench.apps(on: connection)
        let ada = try bench.person(on: connection)
        #expect(throws: PeopleError.invalidSharedPath) {
            try ShareLinks.create(
                path, of: shop, title: "Funnel", isRolling: true, expiresAt: bench.now + .days(30), by: ada,
                now: bench.now, on: connection)
        }
    }
}
