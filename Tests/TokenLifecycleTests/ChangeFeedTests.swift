import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@Suite(.database) struct ChangeFeedTests {
    private let vault: TokenVault
    private let registry: DeviceRegistry
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    init() {
        vault = TokenVault(.random())
        registry = DeviceRegistry(vault: vault)
    }

    /// Creates the app with a first registration, which notes a sign of life; otherwise concurrent ones would
    /// wait for each other to do so.
    private func makeApp() async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let first = try open()
        try first.transaction { try register(0, on: first) }
    }

    private func register(_ number: Int, on connection: PostgresConnection) throws {
        var registration = Registration(deviceID: UUID(), registeredAt: now)
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                value: String(format: "%04x", number))
        ]
        _ = try registry.register(registration, appID: firstApp, now: now, on: connection)
    }

    private func open() throws -> PostgresConnection {
        try TestDatabase.current.connect()
    }

    /// Reads as a client that stores its place.
    private func read(after place: inout Int64, limit: Int = 100, on connection: PostgresConnection) throws
        -> [String]
    {
        let changes = try ChangeFeed(vault: vault)
            .changes(of: firstApp, after: place, limit: limit, on: connection)
        place = changes.last?.transitionID ?? place
        return changes.compactMap { $0.value.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test("a row is held back while an earlier writing transaction is open")
    func heldBack() async throws {
        try await makeApp()
        var place: Int64 = 0
        let (early, late, reader) = (try open(), try open(), try open())
        try early.transaction {
            try register(1, on: early)
            try late.transaction { try register(2, on: late) }
            // The second is committed, but the first would come before it.
            #expect(try read(after: &place, on: reader) == ["0000"])
            #expect(try read(after: &place, on: reader).isEmpty)
        }
        #expect(try read(after: &place, on: reader) == ["0001", "0002"])
        #expect(try read(after: &place, on: reader).isEmpty)
    }

    @Test("a row whose number was taken first and that commits last is not skipped")
    func lowerNumberCommitsLast() async throws {
        try await makeApp()
        var place: Int64 = 0
        let (early, late, reader) = (try open(), try open(), try open())
        try late.transaction {
            try early.transaction {
                // Begins to write, but takes its place in the ledger only after the other one.
                try early.query(
                    SQLFile(name: "test/write", text: "UPDATE landfall.app SET slug = slug"))
                try register(2, on: late)
                try register(1, on: early)
            }
            #expect(try read(after: &place, on: reader) == ["0000", "0001"])
        }
        let furthest = place
        #expect(try read(after: &place, on: reader) == ["0002"])
        #expect(place < furthest, "the number of the last row is the lower one")
        #expect(try read(after: &place, on: reader).isEmpty)
    }

    @Test("a transaction that is rolled back holds nothing up any longer")
    func rolledBack() async throws {
        struct GivenUp: Error {}
        try await makeApp()
        var place: Int64 = 0
        let (early, late, reader) = (try open(), try open(), try open())
        #expect(throws: GivenUp.self) {
            try early.transaction {
                try register(1, on: early)
                try late.transaction { try register(2, on: late) }
                throw GivenUp()
            }
        }
        #expect(try read(after: &place, on: reader) == ["0000", "0002"])
    }

    @Test("a reader alongside many writers gets every row once")
    func manyWriters() async throws {
        try await makeApp()
        let reader = try open()
        var place: Int64 = 0
        var given: [String] = []
        let writers = (1...4).map { writer in
            Task {
                for number in 1...25 {
                    try await TestDatabase.current.pool.withTransaction { connection in
                        try register(writer * 100 + number, on: connection)
                    }
                }
            }
        }
        for writer in writers {
            given += try read(after: &place, limit: 3, on: reader)
            try await writer.value
        }
        while true {
            let page = try read(after: &place, limit: 7, on: reader)
            guard !page.isEmpty else { break }
            given += page
        }
        #expect(given.count == 101)
        #expect(Set(given).count == 101)
    }

    @Test("rows of a dump from a cluster with greater numbers come before new ones, in their order")
    func restoredDump() async throws {
        try await makeApp()
        let connection = try open()
        try connection.transaction { try register(1, on: connection) }
        try await TestDatabase.current.execute(
            "UPDATE landfall.token_transition SET written_by = 9000000000 - transition_id")
        // A command that does not wait for a server.
        try ChangeFeed.adopt(on: connection)
        try connection.transaction { try register(2, on: connection) }
        try ChangeFeed.adopt(on: connection)
        try connection.transaction { try register(3, on: connection) }
        var place: Int64 = 0
        #expect(try read(after: &place, on: connection) == ["0001", "0000", "0002", "0003"])
        let before = place
        try ChangeFeed.adopt(on: connection)
        #expect(try read(after: &place, on: connection).isEmpty)
        #expect(place == before)
    }

    @Test("the present state comes with each row, since who began to write first may decide last")
    func presentState() async throws {
        try await makeApp()
        let (early, late, reader) = (try open(), try open(), try open())
        func decide(_ state: String, on connection: PostgresConnection) throws {
            let text = """
                WITH changed AS (UPDATE landfall.token SET state = $1, cause = 'unregistered' RETURNING *)
                INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
                SELECT app_id, token_id, now(), 'active', state, cause, '{}' FROM changed
                """
            try connection.query(SQLFile(name: "test/decide", text: text), [.value(state)])
        }
        try early.transaction {
            try early.query(SQLFile(name: "test/begin", text: "SELECT pg_current_xact_id()::text"))
            try late.transaction { try decide("suspect", on: late) }
            try decide("retired", on: early)
        }
        let changes = try ChangeFeed(vault: vault).changes(of: firstApp, after: 0, limit: 10, on: reader)
        #expect(changes.map(\.to) == ["active", "retired", "suspect"])
        #expect(Set(changes.map(\.state)) == ["retired"])
    }

    @Test("a position is passed by a row that readers see or by a hundred that they do not, but not by a few")
    func passed() async throws {
        try await makeApp()
        let connection = try open()
        let last = try #require(try ChangeFeed.last(of: firstApp, on: connection))
        let position = ChangeFeed.Position(appID: firstApp, transitionID: last.transitionID)
        let start = ChangeFeed.Position(appID: firstApp, transitionID: 0)
        let other = ChangeFeed.Position(appID: secondApp, transitionID: 0)
        let asked: Set = [position, start, other]
        #expect(try ChangeFeed.passed(asked, on: connection) == [start])
        try connection.transaction { try register(1, on: connection) }
        #expect(try ChangeFeed.passed(asked, on: connection) == [start, position])
        // Now the value has to prove itself.
        let newest = "(SELECT max(token_id) FROM landfall.token)"
        try await TestDatabase.current.execute(
            "UPDATE landfall.token SET is_unproven = true, is_vouched = false WHERE token_id = \(newest)")
        #expect(try ChangeFeed.passed(asked, on: connection) == [start])
        for (rows, result) in [(98, [start] as Set), (1, [start, position])] {
            try await TestDatabase.current.execute(
                """
                INSERT INTO landfall.token_transition (app_id, token_id, at, to_state, rule, evidence)
                SELECT token.app_id, token.token_id, now(), 'active', 'registered', '{}'
                FROM landfall.token, generate_series(1, \(rows)) WHERE token_id = \(newest)
                """)
            #expect(try ChangeFeed.passed(asked, on: connection) == result)
        }
    }

    @Test("a row that is not the app's is no place to continue from")
    func unknownTransition() async throws {
        try await makeApp()
        let connection = try open()
        for place in [Int64(4_711), -1] {
            #expect(throws: ChangeFeed.Failure.unknownTransition) {
                try ChangeFeed(vault: vault).changes(of: firstApp, after: place, limit: 1, on: connection)
            }
        }
        #expect(throws: ChangeFeed.Failure.unknownTransition) {
            try ChangeFeed(vault: vault)
                .changes(of: secondApp, after: TestDatabase.id(1), limit: 1, on: connection)
        }
    }
}
