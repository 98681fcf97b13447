import DeliveryModel
import People
import Testing

@Suite("Roles and names") struct RoleTests {
    private let shop = App(appID: 1, slug: "shop")
    private let news = App(appID: 2, slug: "news")

    @Test("a role includes those before it")
    func order() {
        #expect(Role.allCases == Role.allCases.sorted())
        #expect(Role.viewer < .operator && .operator < .admin)
    }

    @Test("the higher of the role in an app and the role in all apps counts")
    func higher() {
        let grants = Grants(everywhere: .operator, byApp: [1: .viewer, 2: .admin])
        #expect(grants.role(in: shop) == .operator)
        #expect(grants.role(in: news) == .admin)
        #expect(grants.role(in: App(appID: 3, slug: "new")) == .operator)
    }

    @Test("without a role in all apps, a person sees only the apps of their grants")
    func apps() {
        #expect(Grants(.viewer, in: news).apps(of: [shop, news]) == [news])
        #expect(Grants(.viewer).apps(of: [shop, news]) == [shop, news])
        #expect(Grants().apps(of: [shop, news]) == [] && Grants().isEmpty)
    }

    @Test(
        "names are compared in lowercase and composed",
        arguments: [("Ada@Example.COM", "ada@example.com"), ("Zoe\u{308}", "zo\u{EB}"), ("山田", "山田")])
    func names(given: String, normal: String) throws {
        #expect(try Array(Person.normalized(given).unicodeScalars) == Array(normal.unicodeScalars))
    }

    @Test(
        "names with spaces or invisible characters are rejected",
        arguments: [
            "", "ada lovelace", "ada\n", "ad\u{200B}a", "\u{202E}ada", "a\u{0}", "\u{AD}",
            String(repeating: "a", count: 255),
        ])
    func invalidNames(name: String) {
        #expect(throws: PeopleError.invalidName(name)) { try Person.normalized(name) }
    }
}
