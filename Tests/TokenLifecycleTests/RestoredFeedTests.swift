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
    func interleavings(seed: UInt64) async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        var story = try FeedStory(seed: seed, url: TestDatabase.current.url)
        for _ in 0..<250 { try story.step() }
        try story.end()
    }
}

/// A random interleaving of writers, readers and restores. A restore changes the numbers of the rows in
/// place, so that they name other transactions than the one that put them there, as with a dump.
private struct FeedStory {
    private struct Reader {
        let start: Int64
        var place: Int64
        var received: [Int64] = []
    }

    private enum Gap: CaseIterable {
        /// This cluster has passed all numbers of the dump.
        case none
        /// This cluster is among them.
        case near
        /// This cluster is far below them.
        case far
    }

    private let feed: ChangeFeed
    private let connection: PostgresConnection
    private let writers: [PostgresConnection]
    private var isOpen: [Bool]
    private var readers = [Reader(start: 0, place: 0)]
    private var random: SeededRandom

    init(seed: UInt64, url: String) throws {
        random = SeededRandom(seed: seed)
        let vault = TokenVault(.random())
        feed = ChangeFeed(vault: vault)
        let connection = try TestDatabase.connect(to: url)
        self.connection = connection
        writers = try (0..<3).map { _ in try TestDatabase.connect(to: url) }
        isOpen = writers.map { _ in false }
        // The token that all rows are about.
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

    mutating func step() throws {
        switch random.below(30) {
        case 0: try restore()
        case 1: join()
        case 2...8: try read(random.below(readers.count), limit: random.within(1...12))
        default: try write()
        }
    }

    /// Ends all transactions, reads to the end, and compares what the readers received.
    mutating func end() throws {
        for writer in writers.indices where isOpen[writer] { try close(writer, "COMMIT") }
        for reader in readers.indices {
            while try read(reader, limit: 1_000) > 0 {}
        }
        let order = readers[0].received
        let rows: [Int64] = try connection.query(
            SQLFile(
                name: "test/ledger",
                text: "SELECT transition_id FROM landfall.token_transition ORDER BY transition_id")
        ).column(0)
        #expect(order.sorted() == rows)
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
        let page = try feed.changes(of: firstApp, after: readers[reader].place, limit: limit, on: connection)
            .map(\.transitionID)
        readers[reader].received += page
        readers[reader].place = page.last ?? readers[reader].place
        return page.count
    }

    private mutating func write() throws {
        let writer = random.below(writers.count)
        guard isOpen[writer] else { return try open(writer) }
        switch random.below(8) {
        case 0: try close(writer, "ROLLBACK")
        case 1...2: try close(writer, "COMMIT")
        default:
            try run(
                """
                INSERT INTO landfall.token_transition (app_id, token_id, at, to_state, rule, evidence)
                SELECT \(firstApp), min(token_id), now(), 'active', 'registered', '{}'::jsonb FROM landfall.token
                """, on: writers[writer])
        }
    }

    /// Begins to write: the transaction has a number and a lock, and no row of the ledger yet.
    private mutating func open(_ writer: Int) throws {
        try run("BEGIN; SELECT pg_current_xact_id() FROM landfall.app", on: writers[writer])
        isOpen[writer] = true
    }

    private mutating func close(_ writer: Int, _ end: String) throws {
        try run(end, on: writers[writer])
        isOpen[writer] = false
    }

    /// Transactions that are open during the dump are lost with the old cluster; those of the new one may be
    /// open, or have written, before a server adopts the rows.
    private mutating func restore() throws {
        for writer in writers.indices where isOpen[writer] { try close(writer, "ROLLBACK") }
        let gap = Gap.allCases[random.below(Gap.allCases.count)]
        let ahead =
            switch gap {
            case .none: 0
            case .near: random.within(1...20)
            case .far: 9_000_000_000
            }
        try run(
            """
            UPDATE landfall.token_transition
            SET written_by = written_by + CASE WHEN written_by > 0 THEN \(ahead) ELSE 0 END
            """, on: connection)
        for _ in 0..<random.below(12) {
            if gap != .near {
                try write()
            } else if let writer = isOpen.firstIndex(of: false) {
                try open(writer)
            }
        }
        try ChangeFeed.adopt(on: connection)
    }

    private func run(_ text: String, on connection: PostgresConnection) throws {
        try connection.execute(script: SQLFile(name: "test/script", text: text))
    }
}
