import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Vault

/// The feed of changes over restores into clusters whose transactions have other numbers.
@Suite(.database) struct RestoredFeedTests {
    @Test(
        "over any number of restores, a reader at any place gets every later row once, in one order",
        arguments: UInt64(1)...24)
    func interleavings(seed: UInt64) throws {
        var story = try FeedStory(seed: seed)
        for _ in 0..<250 { try story.step() }
        try story.end()
    }

    @Test(
        "rows of a command that wrote before the first server started come last, whatever other databases do",
        arguments: [0, 1_000], [0, 1_000])
    func commandFirst(before: Int, after: Int) throws {
        let ledger = try FedLedger()
        for _ in 0..<3 { try ledger.write() }
        let old = try ledger.read(after: 0)
        #expect(old.count == 4)
        try ledger.raise(by: 500)
        try ledger.burn(before)
        let command = try TestDatabase.current.connect()
        try ChangeFeed.adopt(on: command)
        try ledger.write(on: command)
        try ledger.burn(after)
        try ChangeFeed.adopt(on: ledger.connection)
        let new = try ledger.read(after: try #require(old.last))
        #expect(new.count == 1)
        #expect(try ledger.read(after: 0) == old + new)
    }

    @Test("after each restore, new rows are numbered above those of the dump, which stay as they are")
    func twoRestores() throws {
        let ledger = try FedLedger()
        try ledger.write()
        for count in 3...4 {
            try ledger.raise(by: FedLedger.far)
            let restored = try ledger.numbers()
            try ChangeFeed.adopt(on: ledger.connection)
            let offset = try ledger.offset()
            #expect(offset == restored.max())
            // A dump in which nothing was written since.
            try ChangeFeed.adopt(on: ledger.connection)
            #expect(try ledger.offset() == offset)
            try ledger.write()
            let numbers = try ledger.numbers()
            #expect(numbers.count == count && numbers.dropLast() == restored[...])
            #expect(try #require(numbers.last) > offset)
        }
        #expect(try ledger.read(after: 0) == ledger.ids())
    }

    @Test(
        "a ledger with numbers that this cluster has had is left alone, as after pg_upgrade",
        arguments: [
            "SELECT", FedLedger.row, "BEGIN; SAVEPOINT inside; \(FedLedger.row); RELEASE inside; COMMIT",
            "UPDATE landfall.token_transition SET evidence = evidence",
            "ALTER TABLE landfall.token_transition ADD rewritten double precision DEFAULT random()",
        ])
    func leftAlone(script: String) throws {
        let ledger = try FedLedger()
        try ledger.run(script)
        try ChangeFeed.adopt(on: ledger.connection)
        #expect(try ledger.offset() == 0)
    }

    @Test("a role that calls the function without need neither waits for a writer nor raises the offset")
    func nothingToAdopt() throws {
        let ledger = try FedLedger()
        try ledger.run("BEGIN; \(FedLedger.row)")
        let other = try TestDatabase.current.connect()
        try ledger.run("SET lock_timeout = '1ms'; SELECT landfall.adopt_transitions()", on: other)
        try ledger.run("COMMIT")
        #expect(try ledger.offset() == 0)
    }

    @Test("a read-only session leaves the ledger to the next that can write")
    func readOnly() throws {
        let ledger = try FedLedger()
        try ledger.raise(by: FedLedger.far)
        let reader = try TestDatabase.current.connect()
        try ledger.run("SET default_transaction_read_only = on", on: reader)
        try ChangeFeed.adopt(on: reader)
        #expect(try ledger.offset() == 0)
        try ChangeFeed.adopt(on: ledger.connection)
        #expect(try ledger.offset() == ledger.numbers().max())
    }

    @Test(
        "rows of a transaction that is still open are waited for, and come before those that are written later"
    )
    func openTransaction() async throws {
        let ledger = try FedLedger()
        try ledger.raise(by: FedLedger.far)
        let writer = try TestDatabase.current.connect()
        try ledger.run("BEGIN; \(FedLedger.row)", on: writer)
        let adoption = Task { try ChangeFeed.adopt(on: TestDatabase.current.connect()) }
        try await TestDatabase.current.waitForLockWait()
        try ledger.run("COMMIT", on: writer)
        try await adoption.value
        try ledger.write()
        #expect(try ledger.read(after: 0).last == ledger.ids().last)
        #expect(try ledger.numbers().dropLast().max() == ledger.offset())
    }
}

/// A ledger whose rows are all about one token of one app.
private struct FedLedger {
    /// More transactions than any cluster of tests has had.
    static let far = 9_000_000_000
    /// The statement that writes a row.
    static let row = """
        INSERT INTO landfall.token_transition (app_id, token_id, at, to_state, rule, evidence)
        SELECT \(firstApp), min(token_id), now(), 'active', 'registered', '{}'::jsonb FROM landfall.token
        """

    let connection: PostgresConnection
    private let feed: ChangeFeed

    init() throws {
        let vault = TokenVault(.random())
        feed = ChangeFeed(vault: vault)
        let connection = try TestDatabase.current.connect()
        self.connection = connection
        try run("INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
        var registration = Registration(deviceID: UUID(), registeredAt: now)
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                value: "abcd")
        ]
        let posted = registration
        _ = try connection.transaction {
            try DeviceRegistry(vault: vault).register(posted, appID: firstApp, now: now, on: connection)
        }
    }

    func write(on other: PostgresConnection? = nil) throws { try run(Self.row, on: other) }

    /// Gives the rows of this cluster higher numbers, as if they came from a dump of a cluster that has had
    /// more transactions.
    func raise(by ahead: Int) throws {
        try run(
            """
            UPDATE landfall.token_transition
            SET written_by = written_by + \(ahead)
            """)
    }

    /// Takes the numbers of transactions, as other databases of the cluster do.
    func burn(_ count: Int) throws {
        try run(
            "DO $$ BEGIN FOR n IN 1..\(count) LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END; $$")
    }

    /// The ids of up to `limit` rows of the feed.
    func read(after place: Int64, limit: Int = 1_000) throws -> [Int64] {
        try feed.changes(of: firstApp, after: place, limit: limit, on: connection).map(\.transitionID)
    }

    /// The numbers of the rows, in the order of their ids.
    func numbers() throws -> [Int64] {
        try column("SELECT written_by FROM landfall.token_transition ORDER BY transition_id")
    }

    /// What is added to the numbers of transactions.
    func offset() throws -> Int64 {
        try column("SELECT coalesce(pg_sequence_last_value('landfall.ledger_offset'), 0)").first ?? 0
    }

    func ids() throws -> [Int64] {
        try column("SELECT transition_id FROM landfall.token_transition ORDER BY transition_id")
    }

    func run(_ text: String, on other: PostgresConnection? = nil) throws {
        try (other ?? connection).execute(script: SQLFile(name: "test/script", text: text))
    }

    private func column(_ text: String) throws -> [Int64] {
        try connection.query(SQLFile(name: "test/\(text.hashValue)", text: text)).column(0)
    }
}

/// A random interleaving of writers, readers and restores. A restore raises the numbers of the rows in place,
/// which has the same effect as a cluster with lower numbers.
private struct FeedStory {
    private struct Reader {
        let start: Int64
        var place: Int64
        var received: [Int64] = []
    }

    /// A program that writes.
    private struct Writer {
        let connection: PostgresConnection
        var isOpen = false
        /// Whether it has opened the restored database.
        var hasAdopted = false
    }

    private enum Gap: CaseIterable {
        /// This cluster has passed all numbers of the dump.
        case none
        /// This cluster is among them.
        case near
        /// This cluster is far below them.
        case far
    }

    private let ledger: FedLedger
    private var writers: [Writer]
    private var readers = [Reader(start: 0, place: 0)]
    private var random: SeededRandom

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        ledger = try FedLedger()
        writers = try (0..<3).map { _ in Writer(connection: try TestDatabase.current.connect()) }
    }

    mutating func step() throws {
        switch random.below(32) {
        case 0: try restore()
        case 1: join()
        case 2...8: try read(random.below(readers.count), limit: random.within(1...12))
        case 9: try ledger.burn(random.within(1...8))
        // A server starts.
        case 10: try ChangeFeed.adopt(on: ledger.connection)
        default: try write()
        }
    }

    /// Ends all transactions, reads to the end, and compares what the readers received.
    mutating func end() throws {
        for writer in writers.indices where writers[writer].isOpen { try close(writer, "COMMIT") }
        try ChangeFeed.adopt(on: ledger.connection)
        for reader in readers.indices {
            while try read(reader, limit: 1_000) > 0 {}
        }
        let order = readers[0].received
        #expect(try order.sorted() == ledger.ids())
        for reader in readers {
            let begin = order.firstIndex(of: reader.start).map { $0 + 1 } ?? 0
            #expect(reader.received == Array(order[begin...]), "from \(reader.start)")
        }
    }

    private mutating func join() {
        let known = readers[0].received
        let place = random.chance(0.3) || known.isEmpty ? 0 : known[random.below(known.count)]
        readers.append(Reader(start: place, place: place))
    }

    @discardableResult
    private mutating func read(_ reader: Int, limit: Int) throws -> Int {
        let page = try ledger.read(after: readers[reader].place, limit: limit)
        readers[reader].received += page
        readers[reader].place = page.last ?? readers[reader].place
        return page.count
    }

    private mutating func write() throws {
        let writer = random.below(writers.count)
        guard writers[writer].isOpen else { return try open(writer) }
        switch random.below(8) {
        case 0: try close(writer, "ROLLBACK")
        case 1...2: try close(writer, "COMMIT")
        default: try ledger.write(on: writers[writer].connection)
        }
    }

    /// Begins to write: the transaction has a number and a lock, and no row of the ledger yet.
    private mutating func open(_ writer: Int) throws {
        if !writers[writer].hasAdopted { try ChangeFeed.adopt(on: writers[writer].connection) }
        writers[writer].hasAdopted = true
        try ledger.run("BEGIN; SELECT pg_current_xact_id() FROM landfall.app", on: writers[writer].connection)
        writers[writer].isOpen = true
    }

    private mutating func close(_ writer: Int, _ end: String) throws {
        try ledger.run(end, on: writers[writer].connection)
        writers[writer].isOpen = false
    }

    /// Transactions that are open during the dump are lost with the old cluster. Programs start again, at any
    /// time, and readers may ask a server that cannot write meanwhile.
    private mutating func restore() throws {
        for writer in writers.indices {
            if writers[writer].isOpen { try close(writer, "ROLLBACK") }
            writers[writer].hasAdopted = false
        }
        switch Gap.allCases[random.below(Gap.allCases.count)] {
        case .none: break
        case .near: try ledger.raise(by: random.within(1...20))
        case .far: try ledger.raise(by: FedLedger.far)
        }
    }
}
