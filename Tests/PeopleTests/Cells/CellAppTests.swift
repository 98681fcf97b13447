import Access
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

/// What a restore of one cell does to what another knows.
@Suite("Apps that a restored cell has forgotten, or has again", .database, .oneCell("makes its own cells"))
struct CellAppTests {
    private let bench = CellBench()

    /// What every program does that opens a cell.
    ///
    /// - Returns: the apps with an older copy, in words.
    private func open(_ cell: CellNumber, _ connection: PostgresConnection) throws -> [String] {
        let doubled = try CellApp.compare(CellApp.all(in: cell, on: connection), in: bench.front())
        for app in doubled { try app.retireCopy(on: connection) }
        return doubled.map(\.description)
    }

    /// An app of the cell with one key.
    private func make(_ slug: String, in cell: CellNumber, _ connection: PostgresConnection) throws -> App {
        let app = try CellDirectory(bench.front()).create(
            slug: slug, in: cell, on: connection, at: bench.now)
        _ = try AppDirectory(connection).createKey(kind: .server, for: app, at: bench.now)
        return app
    }

    /// The copy of an app that a move has made.
    private func copy(_ app: App, generation: Int, to connection: PostgresConnection) throws {
        try connection.run(
            """
            INSERT INTO landfall.app (app_id, slug, created_at, generation) OVERRIDING SYSTEM VALUE
            VALUES (\(app.appID), '\(app.slug)', now(), \(generation))
            """)
    }

    private func cell(of app: App) throws -> Int? {
        let apps = try CellDirectory(bench.front()).apps().filter { $0.slug == app.slug }
        #expect(apps.count <= 1)
        return apps.first?.cell.number
    }

    /// Whether a cell has an app no longer, as after a move to another one.
    private func hasLeft(_ app: App, to cell: Int, _ connection: PostgresConnection) throws -> Bool {
        let count = """
            SELECT (SELECT count(*) FROM landfall.app_move
                     WHERE app_id = \(app.appID) AND state = 'left' AND cell = \(cell))
                 + (SELECT count(*) FROM landfall.key_redirect
                     WHERE app_id = \(app.appID) AND cell = \(cell))
            """
        guard try connection.number(count) == 2 else { return false }
        let error = #expect(throws: PostgresError.self) { try connection.fence([app.appID]) }
        #expect(error?.movingApp == app.appID)
        return try !AppDirectory(connection).apps().contains { $0.slug == app.slug }
    }

    private func remark(_ slug: String, _ cell: Int) -> String {
        "the app \(slug) is in cell \(cell), and an older copy, from a backup, is refused: landfall app move \(slug) --to \(cell) --confirm removes it"
    }

    @Test("nothing is written while both cells agree")
    func agreed() throws {
        let (three, connection) = try bench.add(3)
        let shop = try make("shop", in: three, connection)
        _ = try make("news", in: .front, bench.front())
        #expect(try open(three, connection) == [])
        #expect(try cell(of: shop) == 3)
        for connection in [connection, try bench.front()] {
            #expect(try connection.number("SELECT count(*) FROM landfall.app_move") == 0)
        }
        #expect(try bench.front().number("SELECT count(*) FROM landfall.app_cell") == 1)
    }

    @Test("a cell from before its app moved to cell 0, or to another cell, has an older copy")
    func olderCell() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let (shop, news) = (
            try make("shop", in: three, connection), try make("news", in: three, connection)
        )
        try copy(shop, generation: 1, to: front)
        try front.run("DELETE FROM landfall.app_cell WHERE slug = 'shop'")
        try front.run("UPDATE landfall.app_cell SET cell = 1, generation = 3 WHERE slug = 'news'")
        // The backup was written during the move.
        try connection.run(
            "INSERT INTO landfall.app_move VALUES (\(news.appID), 'leaving', 1, gen_random_uuid(), now())")
        #expect(try open(three, connection).sorted() == [remark("news", 1), remark("shop", 0)])
        #expect(try hasLeft(shop, to: 0, connection))
        #expect(try hasLeft(news, to: 1, connection))
        #expect(try [shop, news].map(cell(of:)) == [0, 1])
        #expect(try open(three, connection) == [])
    }

    @Test("a cell 0 from before its app moved has an older copy")
    func olderFront() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let shop = try make("shop", in: .front, front)
        try copy(shop, generation: 1, to: connection)
        #expect(try open(three, connection) == [remark("shop", 3)])
        #expect(try hasLeft(shop, to: 3, front))
        #expect(try cell(of: shop) == 3)
        try connection.fence([shop.appID])
        #expect(try open(three, connection) == [])
    }

    @Test("a cell 0 learns of the apps that it has forgotten, and of their last moves")
    func forgotten() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let (shop, news) = (
            try make("shop", in: three, connection), try make("news", in: three, connection)
        )
        try front.run("DELETE FROM landfall.app_cell WHERE slug = 'shop'")
        try front.run("UPDATE landfall.app_cell SET cell = 9")
        try connection.run("UPDATE landfall.app SET generation = 2 WHERE slug = 'news'")
        #expect(try open(three, connection) == [])
        #expect(try [shop, news].map(cell(of:)) == [3, 3])
        #expect(try front.number("SELECT generation::bigint FROM landfall.app_cell WHERE slug = 'news'") == 2)
        // The cell itself had a newer one, which is lost.
        try connection.run("UPDATE landfall.app SET generation = 0")
        #expect(try open(three, connection) == [])
        #expect(try connection.number("SELECT count(*) FROM landfall.app_move") == 0)
    }

    @Test("a creation that was killed before its end is left to the call that repeats it")
    func reserved() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let shop = try make("shop", in: three, connection)
        try front.run("UPDATE landfall.app_cell SET app_id = NULL")
        #expect(try open(three, connection) == [])
        #expect(try cell(of: shop) == nil)
        let again = try CellDirectory(front).create(slug: "shop", in: three, on: connection, at: bench.now)
        #expect(again == shop)
        #expect(try cell(of: shop) == 3)
    }

    @Test("what was copied, but is not the app, is not compared")
    func copies() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let shop = try make("shop", in: .front, front)
        try copy(shop, generation: 1, to: connection)
        let states = ["arriving", "left"]
        for state in states {
            try connection.run(
                """
                DELETE FROM landfall.app_move;
                INSERT INTO landfall.app_move
                VALUES (\(shop.appID), '\(state)', 0, gen_random_uuid(), now())
                """)
            #expect(try open(three, connection) == [])
            #expect(try cell(of: shop) == 0)
        }
    }

    @Test("different apps with one name or one id are no copies")
    func different() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let (shop, news) = (try make("shop", in: .front, front), try make("news", in: .front, front))
        try copy(App(appID: 77, slug: shop.slug), generation: 1, to: connection)
        try copy(App(appID: news.appID, slug: "bank"), generation: 1, to: connection)
        #expect(try open(three, connection) == [])
        #expect(try CellDirectory(front).apps() == [news, shop])
        for connection in [front, connection] {
            #expect(try connection.number("SELECT count(*) FROM landfall.app_move") == 0)
        }
    }
}
