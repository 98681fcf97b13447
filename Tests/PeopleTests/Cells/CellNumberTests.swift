import Access
import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@Suite("The number of a cell", .database, .oneCell("makes its own cells"))
struct CellNumberTests {
    private let bench = CellBench()

    @Test("ids of a new cell begin in its range, those of its apps at its number × 2^20")
    func fresh() throws {
        let (_, connection) = try bench.add(3)
        let directory = AppDirectory(connection)
        let app = try directory.createApp(slug: "shop", at: bench.now)
        #expect(app.appID == (3 << 20) + 1)
        _ = try directory.createKey(kind: .server, for: app, at: bench.now)
        #expect(try directory.keys(of: app).map(\.keyID) == [(1 << 38) + 1])
        #expect(try connection.number("SELECT count(*) FROM landfall.id_sequence") == 15)
        #expect(
            try connection.number(
                """
                SELECT count(*) FROM landfall.id_sequence
                 WHERE min_value = (1::bigint << 38) + 1 AND max_value = (2::bigint << 38) - 1
                """) == 14)
        let untouched = try connection.query(
            SQLFile(
                name: "test/untouched",
                text: """
                    SELECT sequencename::text AS name FROM pg_sequences
                     WHERE schemaname = 'landfall' AND min_value = 1 ORDER BY sequencename
                    """)
        ).column("name", as: String.self)
        #expect(untouched == ["ledger_offset", "measure_position_seq", "provider_response_response_id_seq"])
    }

    @Test("a repeated claim changes nothing")
    func repeated() throws {
        let (three, connection) = try bench.add(3)
        #expect(try connection.nextID("token_token_id_seq") == (1 << 38) + 1)
        _ = try AppDirectory(connection).createApp(slug: "shop", at: bench.now)
        for _ in 1...2 { try three.claim(connection, from: bench.front()) }
        #expect(try connection.nextID("token_token_id_seq") == (1 << 38) + 2)
        #expect(try CellNumber.stored(on: connection) == three)
        try three.check(connection)
    }

    @Test("without a claim, a schema is cell 0's, and nothing is stored")
    func alone() throws {
        let front = try bench.front()
        #expect(try CellNumber.stored(on: front) == .front)
        try CellNumber.front.check(front)
        try CellNumber.front.claim(front, from: front)
        #expect(try front.number("SELECT count(*) FROM landfall.setting WHERE name = 'cell'") == 0)
        #expect(try front.number("SELECT count(*) FROM landfall.id_range") == 0)
    }

    @Test("a schema with another number is refused")
    func other() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let four = try bench.cell(4)
        let error = #expect(throws: AccessError.otherCell(is: 3, named: 4)) { try four.check(connection) }
        #expect(
            error?.description
                == "this schema is cell 3's, but database.cells lists it as cell 4: correct the number")
        #expect(throws: AccessError.otherCell(is: 3, named: 4)) { try four.claim(connection, from: front) }
        #expect(throws: AccessError.otherCell(is: 3, named: 0)) { try CellNumber.front.check(connection) }
        #expect(throws: AccessError.otherCell(is: 0, named: 3)) { try three.check(front) }
        #expect(try CellNumber.stored(on: connection) == three)
    }

    @Test("cell 0, and a schema with apps, cannot become another cell")
    func used() throws {
        let front = try bench.front()
        let three = try bench.cell(3)
        #expect(throws: AccessError.schemaInUse) { try three.claim(front, from: front) }
        let connection = try bench.connect(three)
        let app = try AppDirectory(connection).createApp(slug: "shop", at: bench.now)
        let error = #expect(throws: AccessError.schemaInUse) { try three.claim(connection, from: front) }
        #expect(
            error?.description == "this schema is cell 0's, or has apps or people: name an empty one")
        #expect(try front.number("SELECT count(*) FROM landfall.id_range WHERE cell <> 0") == 0)
        for used in [front, connection] {
            #expect(try CellNumber.stored(on: used) == .front)
            #expect(try IDRange.current(on: used).number == 0)
        }
        #expect(app.appID == 1)
    }

    @Test("a second schema is refused the number of another, and may have another number")
    func second() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let other = try PostgresConnection(
            url: TestDatabase.current.url, schema: #require(SchemaName("other_3")))
        try Migrator().migrate(other)
        for _ in 1...2 {
            let error = #expect(throws: AccessError.cellTaken(3)) { try three.claim(other, from: front) }
            #expect(
                error?.description
                    == "cell 3 was added as another database or schema: use that one, or add this one under another number"
            )
        }
        #expect(try CellNumber.stored(on: other) == .front)
        #expect(try IDRange.current(on: other).number == 0)
        try bench.cell(4).claim(other, from: front)
        try three.claim(connection, from: front)
        #expect(try [connection, other].map { try IDRange.current(on: $0).number } == [1, 2])
    }

    @Test("a cell that a restored cell 0 has forgotten is taken back, with its ids")
    func forgotten() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        let app = try CellDirectory(front).create(slug: "shop", in: three, on: connection, at: bench.now)
        try IDRange.renew(three, on: connection, from: front, isRestored: true)
        #expect(try IDRange.current(on: connection).number == 2)
        // As in a backup from before cell 3.
        try front.run("DELETE FROM landfall.id_range; DELETE FROM landfall.app_cell")
        try three.claim(connection, from: front)
        try three.check(connection)
        #expect(try IDRange.current(on: connection).number == 2)
        try IDRange.current(on: connection).record(as: three, in: front)
        _ = try CellApp.compare(CellApp.all(in: three, on: connection), in: front)
        #expect(try CellDirectory(front).apps() == [app])
        #expect(try IDRange.next(for: bench.cell(4), from: front).number == 3)
    }

    @Test("a cell of another installation has another token key, and is refused before anything is written")
    func otherInstallation() throws {
        let front = try bench.front()
        let (three, connection) = try bench.add(3)
        try front.run("DELETE FROM landfall.id_range")
        func store(_ key: UInt8, on cell: PostgresConnection) throws {
            try cell.query(.Administration.storeSetting, [.value("token_key_check"), .value([key])])
        }
        try store(1, on: front)
        try store(2, on: connection)
        let error = #expect(throws: AccessError.otherInstallation) {
            try three.claim(connection, from: front)
        }
        #expect(
            error?.description
                == "the tokens of this schema are sealed with another token key than those of cell 0: name an empty schema (or, for a cell of this installation, give both the same key first: landfall tokens reseal)"
        )
        #expect(try front.number("SELECT count(*) FROM landfall.id_range") == 0)
        try store(1, on: connection)
        try three.claim(connection, from: front)
    }

    @Test("a claim that is refused leaves the number to the right schema")
    func misdirected() throws {
        let front = try bench.front()
        let (three, four) = (try bench.cell(3), try bench.cell(4))
        #expect(throws: AccessError.schemaInUse) { try three.claim(front, from: front) }
        let (_, connection) = try bench.add(3)
        #expect(throws: AccessError.otherCell(is: 3, named: 4)) { try four.claim(connection, from: front) }
        _ = try bench.add(4)
        #expect(try CellNumber.stored(on: connection) == three)
    }

    @Test("an identity column of a later migration begins in the cell's range")
    func laterMigration() throws {
        let front = try bench.front()
        let migrations = (1...2).map { number in
            SQLFile(
                name: "later_\(number)",
                text: "CREATE TABLE landfall.later_\(number) (id bigint GENERATED ALWAYS AS IDENTITY)")
        }
        // While there is only cell 0, it has no end.
        try Migrator(migrations: SQLFile.migrations + migrations[..<1]).migrate(front)
        #expect(try front.number("SELECT min(max_value) FROM landfall.id_sequence") == .max)
        let (_, connection) = try bench.add(3)
        try Migrator(migrations: SQLFile.migrations + migrations).migrate(connection)
        try Migrator(migrations: SQLFile.migrations + migrations).migrate(front)
        for number in 1...2 {
            #expect(try connection.nextID("later_\(number)_id_seq") == (1 << 38) + 1)
            #expect(try front.nextID("later_\(number)_id_seq") == 1)
        }
        for cell in [front, connection] {
            let unbounded =
                "SELECT count(*) FROM landfall.id_sequence WHERE max_value <> min_value + size - 2"
            #expect(try cell.number(unbounded) == 0)
        }
    }

    @Test("two cells of one database do not exclude each other from what only one program may do")
    func locks() throws {
        let front = try bench.front()
        let (_, connection) = try bench.add(3)
        for lock in [AdvisoryLock.maintenance, .findings, .tokenKey] {
            let here = try #require(try front.hold(lock))
            let there = try #require(try connection.hold(lock))
            #expect(throws: LockTaken(lock)) { try front.withLock(lock) { _ in } }
            #expect(throws: LockTaken(lock)) { try connection.withLock(lock) { _ in } }
            here.release()
            there.release()
        }
        let held = try #require(try connection.hold(.maintenance))
        let key = try front.number(
            """
            SELECT objid::bigint FROM pg_locks
             WHERE locktype = 'advisory' AND classid = 19529
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
        #expect(key == 3 << 20)
        held.release()
    }
}
