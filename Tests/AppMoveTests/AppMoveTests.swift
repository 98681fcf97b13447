import Access
import AppMove
import DeliveryModel
import FaultProxy
import Foundation
import Ingestion
import PostgresClient
import Reports
import Synchronization
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@Suite("An app moves", .databaseForLong, .oneCell("makes its own cells"), .timeLimit(.minutes(40)))
struct AppMoveTests {
    /// Tables whose rows stay: notes of moves and of packing, and what cell 0 knows of the apps of all cells.
    private static let staying: Set = [
        "app_move", "key_redirect", "app_cell", "person_grant", "share_link", "delivery_change",
    ]
    /// Rows that are there only during a move.
    private static let passing: Set = ["app_move", "app_move_change"]

    @Test("with all its rows, and writes go on in the other cell", arguments: MoveGround.Place.allCases)
    func wholeWay(_ place: MoveGround.Place) async throws {
        try await MoveGround.run(place) { ground in
            try await ground.fill()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            let before = try ground.counts(source)
            for table in try ground.tables(source) where !Self.staying.union(Self.passing).contains(table) {
                #expect(before[table] ?? 0 > 0, "the test has no row of \(table)")
            }
            let contents = try ground.contents(source)

            let plan = try ground.move().plan()
            #expect(plan.rows == before.filter { !Self.staying.contains($0.key) }.values.reduce(0, +))
            try ground.move().apply()

            let after = try ground.counts(target)
            #expect(after == before.filter { !Self.staying.contains($0.key) })
            #expect(try ground.contents(target) == contents)
            #expect(try ground.counts(source)["key_redirect"] == 2)
            try await ground.verify()

            // The source refuses what the target accepts.
            let item = ground.response(UUID(), day: 0, token: 1)
            let writers = (
                try await ground.writer(of: ground.pools[0]), try await ground.writer(of: ground.pools[1])
            )
            do {
                _ = try await writers.0.write([item])
                Issue.record("the source has accepted an event")
            } catch {
                #expect("\(error)".contains("app 2 is being moved"))
            }
            #expect(try await writers.1.write([item]).map(\.outcome) == [.accepted])
            #expect(try await writers.1.write([item]).map(\.outcome) == [.duplicate])
            await #expect(throws: PostgresError.self) { try await ground.register(1, appID: 2) }
            try await ground.register(1, appID: 2, on: ground.pools[1])
            try await ground.verify()

            // A repeated call changes nothing, and neither does one after the source's rows are gone.
            try ground.move().apply()
            try ground.move().confirm()
            try ground.move().confirm()
            #expect(
                try ground.counts(source)
                    == ["app_cell": 1, "app_move": 1, "key_redirect": 2, "person_grant": 1, "share_link": 1])
            #expect(try ground.counts(target)["delivery"] == (after["delivery"] ?? 0) + 1)
            try await ground.verify()
        }
    }

    @Test("there and back, and no id is used twice")
    func thereAndBack() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            try ground.move().apply()
            let source = try ground.connectToSource()
            let directory = CellDirectory(source)
            #expect(try directory.apps().first(where: { $0.slug == "shop" })?.cell == ground.three)
            try await ground.register(7, appID: 2, on: ground.pools[1])
            #expect(throws: AppMoveError.notConfirmed(.front)) { try ground.moveBack().apply() }
            try ground.move().confirm()
            // What an older version has written since is removed, except the app itself.
            try source.execute(
                script: SQLFile(
                    name: "test/leftovers",
                    text: """
                        INSERT INTO landfall.device_quota_use
                        VALUES (2, date_trunc('hour', now()), 1, 2, 3, 4, 5, 6), (2, 'epoch', 1, 2, 3, 4, 5, 6);
                        INSERT INTO landfall.app (app_id, slug, created_at) OVERRIDING SYSTEM VALUE
                        VALUES (2, 'shop', now());
                        """))
            #expect(throws: AppMoveError.slugTaken("shop", .front)) { try ground.moveBack().apply() }
            // A refused move does not keep the app from being written.
            try await ground.register(6, appID: 2, on: ground.pools[1])
            try source.execute(
                script: SQLFile(name: "test/app", text: "DELETE FROM landfall.app WHERE app_id = 2"))
            try ground.moveBack().apply()
            #expect(try ground.counts(source)["device_quota_use"] == 1)
            #expect(try directory.apps().first(where: { $0.slug == "shop" })?.cell == .front)
            // A call of the first move that comes too late does not take the app back.
            #expect(throws: AppMoveError.self) { try ground.move().confirm() }
            try await ground.register(8, appID: 2)
            try ground.moveBack().confirm()
            #expect(try ground.counts(source)["key_redirect"] == nil)
            #expect(try ground.counts(source)["app_move"] == nil)
            #expect(try ground.counts(ground.connectToTarget()) == ["app_move": 1, "key_redirect": 2])
            // The order of writing is the order of the feed, and within a token that of the ids.
            let ledger = try await ground.source.query(
                """
                SELECT transition_id >> 38, written_by >> 48 FROM landfall.token_transition
                 WHERE app_id = 2 ORDER BY written_by, transition_id
                """
            ) { [try $0.get(0, as: Int64.self), try $0.get(1, as: Int64.self)] }
            #expect(ledger.first == [0, -2])
            #expect(ledger.contains([1, -1]))
            #expect(ledger.last == [2, 0])
            try await ground.verify()
            // A copy that an abort could not remove does not answer for keys of the app.
            let killer = Killer(url: ground.source.url) { $0.hasSuffix("current_range") }
            let connections = (
                try ground.connectToSource(killer.note), try ground.connectToTarget(killer.note)
            )
            try killer.aim(at: [connections.0, connections.1])
            #expect(throws: PostgresError.self) {
                try ground.move(from: connections.0, to: connections.1).apply()
            }
            #expect(try !ground.abort(isTargetAway: true))
            let located = try AppDirectory(ground.connectToTarget()).locate([1], vault: ground.vault)
            #expect(located.credential == nil && located.redirect == .front)
        }
    }

    @Test("and its keys are followed, also after its rows are gone")
    func keys() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let app = ground.app
            let key = try AppDirectory(ground.connectToSource()).createKey(kind: .server, for: app, at: .now)
            let pools: @Sendable (CellNumber) throws -> PostgresPool = {
                ground.pools[$0 == .front ? 0 : 1]
            }
            func cell(of text: String) async throws -> CellNumber? {
                try await KeyRing(pools: pools, vault: ground.vault).credential(for: text)?.app.cell
            }
            let digest = try #require(KeyDigest(of: key.text))
            #expect(try await cell(of: key.text) == .front)
            try ground.move().apply()
            #expect(try await cell(of: key.text) == ground.three)
            // Cell 0 redirects the keys of an app that has moved on, too.
            try ground.connectToSource().execute(
                script: SQLFile(
                    name: "test/before",
                    text: """
                        UPDATE landfall.key_redirect SET cell = 5;
                        UPDATE landfall.app_cell SET generation = 0;
                        """))
            try ground.move().apply()
            #expect(try await cell(of: key.text) == ground.three)
            try ground.move().confirm()
            #expect(try await cell(of: key.text) == ground.three)
            #expect(try await KeySieve.looking(in: pools).knows(digest))
            #expect(try await cell(of: APIKey.random(kind: .server).text) == nil)
            // The app does not need the cell that its key names, once its own is known.
            let isAway = Mutex(false)
            let ring = KeyRing(
                timeToLive: .zero,
                pools: { cell in
                    if cell == .front, isAway.withLock({ $0 }) {
                        throw PostgresError.unavailable(reason: "it is away")
                    }
                    return try pools(cell)
                }, vault: ground.vault)
            #expect(try await ring.credential(for: key.text)?.app.cell == ground.three)
            isAway.withLock { $0 = true }
            #expect(try await ring.credential(for: key.text)?.app.cell == ground.three)
            // Cells that send a key to each other do not make it invalid.
            let lost = APIKey.random(kind: .server)
            for (connection, cell) in [(try ground.connectToSource(), 3), (try ground.connectToTarget(), 0)] {
                try connection.query(
                    SQLFile(
                        name: "test/redirect",
                        text: "INSERT INTO landfall.key_redirect VALUES ($1, 9, $2::bigint)"),
                    [.value(lost.digest), .value(Int64(cell))])
            }
            await #expect(throws: PostgresError.self) { try await cell(of: lost.text) }
            // Whether it is revoked is for the app's cell to say.
            let target = AppDirectory(try ground.connectToTarget())
            let stored = try #require(try target.keys(of: app).last { $0.prefix == key.prefix })
            try target.revokeKey(stored.keyID, of: app, at: .now)
            #expect(try await cell(of: key.text) == nil)
        }
    }

    @Test("while a reader follows its feed: each row once, in order", arguments: MoveGround.Place.allCases)
    func feed(_ place: MoveGround.Place) async throws {
        try await MoveGround.run(place) { ground in
            try await ground.fill()
            let feed = ChangeFeed(vault: ground.vault)
            var given: [Int64] = []
            func read(_ connection: PostgresConnection, pages: Int) throws {
                for _ in 0..<pages {
                    given += try feed.changes(of: 2, after: given.last ?? 0, limit: 3, on: connection)
                        .map(\.transitionID)
                }
            }
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            try read(source, pages: 2)
            try ground.move().apply()
            try read(target, pages: 1)
            for number in 10..<15 { try await ground.register(number, appID: 2, on: ground.pools[1]) }
            try read(target, pages: 100)
            let all = try target.query(
                SQLFile(
                    name: "test/all",
                    text: "SELECT transition_id FROM landfall.token_transition WHERE app_id = 2 ORDER BY 1")
            ).column(0, as: Int64.self)
            #expect(given.sorted() == all)
            #expect(Set(given).count == given.count)
            let known = try source.query(
                SQLFile(
                    name: "test/known",
                    text: """
                        SELECT transition_id FROM landfall.token_transition WHERE app_id = 2
                         ORDER BY written_by, transition_id
                        """)
            ).column(0, as: Int64.self)
            #expect(Array(given.prefix(known.count)) == known)
        }
    }

    @Test("and its copy holds back no other app's feed")
    func otherFeeds() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let differences = Mutex<[Int64]>([])
            let target = try ground.connectToTarget { observed in
                guard case .query(let statement) = observed,
                    statement.file.name.hasSuffix("change_move"),
                    let other = try? ground.connectToTarget(),
                    let copy = try? other.query(Self.copyingTransaction).single().get(0, as: Int64.self)
                else { return }
                // Others hold it back, too, such as autovacuum, but not for long.
                for attempt in 1...600 {
                    guard
                        let bound = try? other.query(.Tokens.ledgerBound).single().get(
                            "bound", as: Int64.self)
                    else { return }
                    guard bound > copy || attempt == 600 else {
                        usleep(100_000)
                        continue
                    }
                    differences.withLock { $0.append(bound - copy) }
                    break
                }
            }
            try ground.move(from: ground.connectToSource(), to: target).apply()
            #expect(differences.withLock { $0.count } == 1)
            #expect(differences.withLock { $0.allSatisfy { $0 > 0 } })
        }
    }

    private static let copyingTransaction = SQLFile(
        name: "test/copying",
        text: """
            SELECT transactionid::text::bigint FROM pg_locks
             WHERE locktype = 'transactionid' AND pid IN (
                SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 19537
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            """)

    @Test("after the transactions that write its rows have ended")
    func waitsForWriters() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let writer = try ground.connectToSource()
            let moved = try await writer.whileWriting(of: 2) {
                let move = Task { try await blocking { try ground.move().apply() } }
                try await Task.sleep(for: .milliseconds(600))
                #expect(try ground.state(ground.connectToSource()) != "leaving")
                return move
            }
            try await moved.value
            #expect(try ground.counts(ground.connectToTarget())["annotation"] == 2)
        }
    }

    @Test("not if its copy was aborted: the source goes on, and a later move takes all")
    func aborted() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            #expect(throws: AppMoveError.nothingToAbort) { try ground.abort() }
            #expect(throws: AppMoveError.notMoved) { try ground.move().confirm() }
            // Stops after the copy.
            let killer = Killer(url: ground.source.url) { $0.hasSuffix("current_range") }
            let connections = (
                try ground.connectToSource(killer.note), try ground.connectToTarget(killer.note)
            )
            try killer.aim(at: [connections.0, connections.1])
            #expect(throws: PostgresError.self) {
                try ground.move(from: connections.0, to: connections.1).apply()
            }
            #expect(try ground.counts(ground.connectToTarget())["delivery"] != nil)
            #expect(throws: AppMoveError.notMoved) { try ground.move().confirm() }
            #expect(throws: AppMoveError.inProgress(cell: 3)) { try ground.move().plan() }
            await #expect(throws: PostgresError.self) { try await ground.register(1, appID: 2) }
            try await ground.register(1, appID: 1)

            for connection in [try ground.connectToSource(), try ground.connectToTarget()] {
                #expect(try connection.query(.Moving.unfinishedMoves).count == 0)
                try connection.execute(
                    script: SQLFile(
                        name: "test/later",
                        text: "UPDATE landfall.app_move SET changed_at = now() - interval '61 minutes'"))
                #expect(try connection.query(.Moving.unfinishedMoves).count == 1)
            }
            // The source does not need the target to go on. What remains there can be removed later.
            #expect(try !ground.abort(isTargetAway: true))
            try await ground.register(9, appID: 2)
            #expect(try ground.counts(ground.connectToTarget())["delivery"] != nil)
            #expect(try ground.abort())
            #expect(try ground.counts(ground.connectToTarget()) == ["app_move": 1])
            // A server that knows the app from a stay there may still write to it.
            let late = try await ground.writer(of: ground.pools[1])
            do {
                _ = try await late.write([ground.response(UUID(), day: 0, token: 1)])
                Issue.record("the cell of a removed copy has accepted an event")
            } catch {
                #expect("\(error)".contains("app 2 is being moved"))
            }
            #expect(try ground.counts(ground.connectToTarget()) == ["app_move": 1])
            #expect(throws: AppMoveError.nothingToAbort) { try ground.abort() }
            let contents = try ground.contents(ground.connectToSource())
            try ground.move().apply()
            #expect(throws: AppMoveError.nothingToAbort) { try ground.abort() }
            #expect(try ground.contents(ground.connectToTarget()) == contents)
            try await ground.verify()
        }
    }

    @Test("and a removal ends with its note, and is refused while the other cell's app is not newer")
    func removal() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            try ground.move().apply()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            func run(_ text: String, on connection: PostgresConnection) throws {
                try connection.execute(script: SQLFile(name: "test", text: text))
            }
            try run("UPDATE landfall.app SET generation = 0 WHERE app_id = 2", on: target)
            #expect(throws: AppMoveError.notMoved) { try ground.move().confirm() }
            try run("UPDATE landfall.app SET generation = 1 WHERE app_id = 2", on: target)

            let counts = try ground.counts(source)
            let database = ground.source
            let other = try ground.connectToSource { observed in
                guard case .query(let statement) = observed,
                    statement.file.name.hasSuffix("list_removals")
                else { return }
                try? database.connect().execute(
                    script: SQLFile(name: "test/forget", text: "DELETE FROM landfall.app_move"))
            }
            #expect(throws: AppMoveError.aborted) {
                try ground.move(from: other, to: ground.connectToTarget()).confirm()
            }
            #expect(try ground.counts(source) == counts.filter { $0.key != "app_move" })
        }
    }

    @Test("and the cell that it has left is found, even if others are away")
    func finding() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            var moved = ground.app
            moved.cell = ground.three
            let seven = try #require(CellNumber(7))
            func move(_ app: App) throws -> AppMove {
                try AppMove.find(
                    app, among: [seven, .front, ground.three],
                    to: .init(ground.three, ground.connectToTarget()), front: ground.connectToSource()
                ) { cell in
                    guard cell == .front else { throw PostgresError.unavailable(reason: "\(cell) is away") }
                    return .init(.front, try ground.connectToSource())
                }
            }
            try move(ground.app).apply()
            // As if the move had been killed before cell 0 knew where the app is.
            try await ground.source.execute("DELETE FROM landfall.app_cell")
            try move(moved).confirm()
            let apps = try CellDirectory(ground.connectToSource()).apps()
            #expect(apps.first(where: { $0.slug == "shop" })?.cell == ground.three)
            #expect(throws: PostgresError.self) { try move(moved) }
        }
    }

    @Test("not between cells that differ in what an app takes for granted")
    func refusals() async throws {
        try await MoveGround.run(isMigrated: false) { ground in
            try await ground.fill()
            let three = ground.three
            #expect(throws: AppMoveError.notMigrated(three)) { try ground.move().apply() }
            try ground.migrate()
            let target = try ground.connectToTarget()
            func run(_ text: String) throws { try target.execute(script: SQLFile(name: "test", text: text)) }

            try run(
                """
                CREATE TEMPORARY TABLE applied AS SELECT * FROM landfall.schema_migration;
                DELETE FROM landfall.schema_migration;
                """)
            #expect(throws: AppMoveError.notMigrated(three)) { try ground.move().apply() }
            try run("INSERT INTO landfall.schema_migration SELECT * FROM applied")

            try run("INSERT INTO landfall.setting VALUES ('token_key_check', '\\x00')")
            #expect(throws: AppMoveError.otherTokenKey(three)) { try ground.move().apply() }
            try run("DELETE FROM landfall.setting WHERE name = 'token_key_check'")

            try run("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
            #expect(throws: AppMoveError.slugTaken("shop", three)) { try ground.move().apply() }
            try run("DELETE FROM landfall.app WHERE slug = 'shop'")

            // The target has dropped days of which the app has notifications, then some of which it has none.
            try run("INSERT INTO landfall.retention (kept_from) VALUES (now() + interval '1 day')")
            #expect(throws: AppMoveError.otherRetention(.front)) { try ground.move().apply() }
            try run("UPDATE landfall.retention SET kept_from = '2024-01-01'")
            #expect(try ground.move().plan().rows > 0)
            try run(
                """
                DELETE FROM landfall.retention;
                SELECT landfall.ensure_delivery_partition('2024-01-01'), landfall.ensure_delivery_partition('2024-01-02');
                INSERT INTO landfall.delivery (notification_id, sent_at, app_id, state, response_rank)
                VALUES (gen_random_uuid(), '2024-01-01 12:00:00+00', 3145729, 0, 99);
                """)
            try await ground.source.execute(
                "INSERT INTO landfall.retention (kept_from) VALUES ('2024-01-02')")
            #expect(throws: AppMoveError.otherRetention(three)) { try ground.move().apply() }

            #expect(try ground.counts(ground.connectToSource())["app_move"] == nil)
            try run("DELETE FROM landfall.delivery WHERE sent_at < '2024-01-02'")
            let sweeper = try ground.connectToSource()
            try sweeper.withLock(.tokenRun, of: 2) { _ in
                #expect(throws: LockTaken(.tokenRun)) { try ground.move().apply() }
            }
            #expect(try ground.state(ground.connectToSource()) == "serving")
            try ground.move().apply()
            try await ground.verify()
        }
    }

    @Test("also while a day is being packed in both cells, but not while one is closed")
    func packing() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            let contents = try ground.contents(source)
            let day = ground.sentAt - .days(2)
            func step(_ connection: PostgresConnection) throws -> String {
                try connection.query(.Maintenance.packPartition, [.value(day)]).single().get("step")
            }
            func pack(_ connection: PostgresConnection) throws {
                for _ in 0..<4 where try step(connection) == "packed" { return }
                Issue.record("the day was not packed")
            }
            try target.query(.Ingestion.ensurePartition, [.value(day)])
            for connection in [source, target] {
                #expect(try step(connection) == "begun")
                _ = try step(connection)
            }
            try ground.move().apply()
            #expect(throws: PostgresError.self) {
                _ = try source.query(.Maintenance.closePartition, [.value(day)])
            }
            try ground.move().confirm()
            for connection in [source, target] { try pack(connection) }
            #expect(try ground.contents(target) == contents)
            #expect(try ground.counts(source)["delivery"] == nil)
            try await ground.verify()

            try target.query(.Maintenance.closePartition, [.value(day)])
            #expect(throws: AppMoveError.closedDay(ground.three)) { try ground.moveBack().apply() }
        }
    }

    @Test("not if a cell drops days meanwhile: its writers go on")
    func dropsDays() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let source = try ground.connectToSource { observed in
                guard case .query(let statement) = observed,
                    statement.file.name.hasSuffix("list_days")
                else { return }
                try? ground.connectToTarget().execute(
                    script: SQLFile(
                        name: "test/drop",
                        text: "INSERT INTO landfall.retention (kept_from) VALUES (now() + interval '1 day')"))
            }
            #expect(throws: AppMoveError.otherRetention(.front)) {
                try ground.move(from: source, to: ground.connectToTarget()).apply()
            }
            #expect(try ground.state(source) == "serving")
            try await ground.register(1, appID: 2)
            #expect(try ground.abort())
            #expect(try ground.counts(source)["app_move"] == nil)
        }
    }

    @Test("whatever statement a kill comes before: the next call goes on, or an abort undoes it")
    func killed() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let (source, target) = (try ground.connectToSource(), try ground.connectToTarget())
            let writer = try await ground.writer(of: ground.pools[0])
            var (place, wasKilled, aborts, late) = (1, true, 0, 0)
            while wasKilled {
                let killer = Killer(url: ground.source.url, before: place)
                do {
                    let (from, into) = (
                        try ground.connectToSource(killer.note), try ground.connectToTarget(killer.note)
                    )
                    try killer.aim(at: [from, into])
                    try ground.move(from: from, to: into).apply()
                } catch let error as PostgresError {
                    #expect(error.endsConnection, "\(error)")
                }
                wasKilled = killer.hasStruck
                // Refused unless the source serves the app.
                if try ground.state(source) == "serving" { late += 1 }
                _ = try? await writer.write([
                    ground.response(UUID(), day: 3, token: 1), ground.response(UUID(), day: 0, token: 2),
                ])
                let contents = try ground.contents(source)
                let before = try ground.counts(source).filter { !Self.passing.contains($0.key) }
                if place % 3 == 0, (try? ground.abort()) == true {
                    aborts += 1
                    // The note of a copy that was removed stays.
                    let kept = try ground.counts(target)
                    #expect(kept.isEmpty || kept == ["app_move": 1], "aborted at \(place)")
                    #expect(try ground.counts(source) == before)
                    #expect(try ground.notedDays(source) == 0)
                }
                try ground.move().apply()
                #expect(try ground.contents(target) == contents, "killed at \(place)")
                #expect(try ground.contents(source) == contents)
                try ground.reset()
                place += place < 20 ? 1 : 7
            }
            #expect(place > 100)
            #expect(aborts > 5)
            #expect(late > 3)
            try await ground.verify()
        }
    }

    @Test("every table with an app_id moves, or stays for a reason")
    func tables() async throws {
        let connection = try TestDatabase.current.connect(preparesStatements: false)
        let moved = try connection.query(
            .Moving.listCopies,
            [
                .value(Int64(1)), .array([Int64]()), .array([Int64]()), .array([Instant.now.startOfUTCDay]),
                .value(Int64(0)), .value(Int32(0)), .array([Instant]()),
            ]
        ).column("name", as: String.self).map { String($0.prefix { $0 != " " }) }
        let tables = try connection.query(
            SQLFile(
                name: "test/tables",
                text: """
                    SELECT DISTINCT relname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
                     WHERE relnamespace = 'landfall'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                       AND attname = 'app_id'
                    """)
        ).column(0, as: String.self)
        #expect(Set(moved).union(Self.staying.intersection(tables)) == Set(tables))
        #expect(Set(moved).isDisjoint(with: Self.staying))
    }
}

extension PostgresConnection {
    /// Writes a row of the app, and commits it after the body.
    fileprivate func whileWriting<Value>(
        of appID: Int64, _ body: () async throws -> Value
    ) async throws -> Value {
        try execute(script: SQLFile(name: "test/begin", text: "BEGIN"))
        try fence([appID])
        try query(
            SQLFile(
                name: "test/write",
                text: """
                    INSERT INTO landfall.annotation (app_id, at, text, created_by, created_at)
                    VALUES ($1, now(), 'late', 'ada', now())
                    """), [.value(appID)])
        let value = try await body()
        try execute(script: SQLFile(name: "test/commit", text: "COMMIT"))
        return value
    }
}
