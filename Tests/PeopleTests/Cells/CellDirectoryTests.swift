import Access
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@Suite("The directory of all cells' apps", .database, .oneCell("makes its own cells"))
struct CellDirectoryTests {
    private let bench = CellBench()

    @Test("knows the cell of each app")
    func list() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let directory = CellDirectory(front)
        let shop = try directory.create(slug: "shop", in: three, on: connection, at: bench.now)
        let news = try directory.create(slug: "news", in: .front, on: front, at: bench.now)
        #expect(shop.cell == three && shop.appID == (3 << 20) + 1)
        #expect(news.cell == .front && news.appID == 1)
        #expect(try directory.apps() == [news, shop])
        #expect(try directory.apps().first(where: { $0.slug == "shop" }) == shop)
        #expect(try directory.apps().first(where: { $0.slug == "bank" }) == nil)
        #expect(try AppDirectory(front).apps() == [news])
        #expect(try AppDirectory(connection).apps().map(\.slug) == ["shop"])
    }

    @Test("has no row while there is only cell 0")
    func alone() throws {
        let front = try bench.front()
        try front.run(
            """
            INSERT INTO landfall.app (slug, settings, created_at)
            VALUES ('shop', '{"providers": ["webx"]}', now())
            """)
        let directory = CellDirectory(front)
        _ = try directory.create(slug: "news", in: .front, on: front, at: bench.now)
        #expect(try directory.apps() == AppDirectory(front).apps())
        #expect(try directory.apps().first(where: { $0.slug == "shop" })?.additionalProviders == ["webx"])
        #expect(try front.number("SELECT count(*) FROM landfall.app_cell") == 0)
    }

    @Test("has a slug once in all cells, of one database too")
    func taken() throws {
        let front = try bench.front()
        let (one, other) = try bench.add(1)
        let (three, connection) = try bench.add(3)
        let directory = CellDirectory(front)
        _ = try directory.create(slug: "shop", in: three, on: connection, at: bench.now)
        _ = try directory.create(slug: "news", in: .front, on: front, at: bench.now)
        for slug in ["shop", "news"] {
            for (cell, connection) in [(one, other), (three, connection), (CellNumber.front, front)] {
                #expect(throws: AccessError.slugTaken(slug)) {
                    try directory.create(slug: slug, in: cell, on: connection, at: bench.now)
                }
            }
        }
        #expect(throws: AccessError.invalidSlug("Shop")) {
            try directory.create(slug: "Shop", in: three, on: connection, at: bench.now)
        }
        #expect(try directory.apps().count == 2)
        #expect(try AppDirectory(other).apps() == [])
    }

    @Test("finishes a creation that was killed at any step")
    func killed() throws {
        struct Killed: Error {}
        let front = try bench.front()
        let (one, other) = try bench.add(1)
        let (three, connection) = try bench.add(3)
        let directory = CellDirectory(front)
        // After the slug was reserved: nothing is created.
        #expect(throws: Killed.self) {
            try directory.create(slug: "shop", in: three, on: connection, at: bench.now) { _ in
                throw Killed()
            }
        }
        #expect(try directory.apps() == [])
        #expect(try AppDirectory(connection).apps() == [])
        let reserved = AccessError.slugReserved("shop", cell: 3)
        #expect(
            reserved.description
                == "app 'shop' is being created in cell 3: repeat 'landfall app create shop --cell 3' (or, if that cell is lost, another one with --take-over)"
        )
        for (cell, connection) in [(one, other), (CellNumber.front, front)] {
            #expect(throws: reserved) {
                try directory.create(slug: "shop", in: cell, on: connection, at: bench.now)
            }
        }
        let shop = try directory.create(slug: "shop", in: three, on: connection, at: bench.now)
        // After the app was created in its cell.
        try front.run("UPDATE landfall.app_cell SET app_id = NULL")
        #expect(try directory.create(slug: "shop", in: three, on: connection, at: bench.now) == shop)
        #expect(try directory.apps() == [shop])
        #expect(try AppDirectory(connection).apps().count == 1)
    }

    @Test("takes over a slug that is reserved for a lost cell, but none of an app that was created")
    func takeOver() throws {
        let front = try bench.front()
        let (one, connection) = try bench.add(1)
        let directory = CellDirectory(front)
        try front.run("INSERT INTO landfall.app_cell (slug, cell) VALUES ('shop', 9), ('news', 9)")
        try front.run("INSERT INTO landfall.app_cell (slug, app_id, cell) VALUES ('bank', 9437185, 9)")
        for (slug, cell, connection) in [("shop", one, connection), ("news", CellNumber.front, front)] {
            #expect(throws: AccessError.slugReserved(slug, cell: 9)) {
                try directory.create(slug: slug, in: cell, on: connection, at: bench.now)
            }
            let app = try directory.create(
                slug: slug, in: cell, on: connection, at: bench.now, takesOver: true)
            #expect(app.cell == cell)
            #expect(throws: AccessError.slugTaken("bank")) {
                try directory.create(slug: "bank", in: cell, on: connection, at: bench.now, takesOver: true)
            }
        }
        #expect(try directory.apps().map(\.slug) == ["bank", "news", "shop"])
        #expect(try directory.apps().map(\.cell.number) == [9, 0, 1])
    }

    @Test("gives a new app no id of one that a restored cell has forgotten")
    func givenAgain() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        // They were created after the backups, and have moved.
        try front.run(
            """
            INSERT INTO landfall.app_cell (slug, app_id, cell, generation)
            VALUES ('shop', 1, 3, 1), ('news', 2, 3, 1), ('bank', \((3 << 20) + 1), 1, 1)
            """)
        let directory = CellDirectory(front)
        var noted: [Int64] = []
        let garden = try directory.create(slug: "garden", in: .front, on: front, at: bench.now) {
            noted.append($0.appID)
        }
        let park = try directory.create(slug: "park", in: three, on: connection, at: bench.now) {
            noted.append($0.appID)
        }
        #expect([garden.appID, park.appID] == [3, (3 << 20) + 2])
        #expect(noted == [3, (3 << 20) + 2])
        #expect(try directory.apps().map(\.slug) == ["bank", "garden", "news", "park", "shop"])
    }

    @Test("creates no app in a schema of another cell")
    func misdirected() throws {
        let front = try bench.front()
        let (three, _) = try bench.add(3)
        #expect(throws: AccessError.otherCell(is: 0, named: 3)) {
            try CellDirectory(front).create(slug: "shop", in: three, on: front, at: bench.now)
        }
        #expect(try front.number("SELECT count(*) FROM landfall.app_cell") == 0)
    }

    @Test("gives a slug to one of two cells that create it at the same time")
    func race() async throws {
        let (three, _) = try bench.add(3)
        for number in 1...20 {
            async let here = creates("app-\(number)", in: .front)
            async let there = creates("app-\(number)", in: three)
            let outcomes = try await [here, there]
            #expect(outcomes.filter(\.self).count == 1)
        }
        #expect(try CellDirectory(bench.front()).apps().count == 20)
    }

    private func creates(_ slug: String, in cell: CellNumber) async throws -> Bool {
        let front = try bench.front()
        let connection = try cell == .front ? front : bench.connect(cell)
        do {
            _ = try CellDirectory(front).create(slug: slug, in: cell, on: connection, at: bench.now)
            return true
        } catch is AccessError {
            return false
        }
    }
}
