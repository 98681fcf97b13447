import Basics
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle
import Trust
import Vault

/// The feeds as a sender reads them, while everything that can happen to tokens happens.
@Suite(.database) struct FollowedFeedTests {
    @Test(
        "a reader that follows the changes from any point ends with the tokens that the pages have",
        arguments: UInt64(1)...20)
    func anyPoint(seed: UInt64) async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        var story = try TokenStory(seed: seed)
        for _ in 0..<120 { try story.step() }
        try story.end()
    }

    @Test("a refresh that names the topic is a change in the feed, and the next one is none")
    func namedTopic() async throws {
        var story = try TokenStory(seed: 1)
        let phone = UUID()
        let rows: [(String, String, [String])] = [
            ("", "aa", ["registered"]), ("com.example.shop", "aa", ["registered"]),
            ("com.example.shop", "aa", []), ("", "aa", []), ("com.example.shop", "AA", []),
        ]
        for (topic, text, rules) in rows {
            let address = TokenAddress(
                provider: "apns", environment: .production, topic: topic, kind: .alert, value: "aa",
                text: text)
            try story.register([address], of: phone, by: .server)
            #expect(try story.newRules() == rules)
            try story.end()
        }
    }

    @Test("a value that is listed twice is one token, and visits that change nothing write no row")
    func listedTwice() async throws {
        var story = try TokenStory(seed: 1)
        let phone = UUID()
        func address(_ topic: String, _ kind: TokenKind = .alert) -> TokenAddress {
            TokenAddress(
                provider: "apns", environment: .production, topic: topic, kind: kind, value: "aa", text: "aa")
        }
        try story.register([address("")], of: phone, by: .server)
        #expect(try story.newRules() == ["registered"])
        try story.register([address("com.example.shop"), address("")], of: phone, by: .server)
        #expect(try story.newRules() == ["registered"])
        try story.register([address(""), address("com.example.shop")], of: phone, by: .server)
        #expect(try story.newRules() == [])
        let kinds = [address("com.example.shop"), address("com.example.shop", .voip)]
        try story.register(kinds, of: phone, by: .server)
        #expect(try story.newRules() == ["registered"])
        for _ in 1...3 { try story.register(kinds, of: phone, by: .server) }
        #expect(try story.newRules() == [])
        try story.end()
        let tokens = try await TestDatabase.current.query("SELECT count(*) FROM landfall.token") {
            try $0.get(0, as: Int64.self)
        }
        #expect(tokens == [1])
    }

    @Test("a reader learns that a token was proven, that it has to prove itself again, and that it died")
    func provenAndNot() async throws {
        var story = try TokenStory(seed: 1)
        let (phone, other) = (UUID(), UUID())
        let values = (0..<5).map { number in
            TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                value: "0\(number)")
        }
        // Two values of a phone are believed, the third has to prove itself.
        try story.register(Array(values[..<2]), of: phone, by: TokenStory.device)
        #expect(try story.newRules() == ["registered", "registered"])
        try story.register(Array(values[..<3]), of: phone, by: TokenStory.device)
        #expect(try story.newRules() == [])
        try story.end()
        try story.respond(about: values[2], ResponseOutcome(.accepted, .keep))
        #expect(try story.newRules() == ["accepted"])
        try story.end()
        // The other phone takes over a value, and one of its own is no longer believed.
        try story.register(Array(values[3...]), of: other, by: TokenStory.device)
        #expect(try story.newRules() == ["registered", "registered"])
        try story.register(values[3...] + [values[0]], of: other, by: TokenStory.device)
        #expect(try story.newRules() == ["transferred", "registered"])
        try story.end()
        try story.erase(other)
        #expect(try story.newRules().count { $0 == "erased" } == 3)
        try story.end()
    }
}

/// Random operations on the tokens of one app, and readers that began at different times.
private struct TokenStory {
    static let device: InstallationPoster = {
        var trust = TrustRules()
        trust.credentials = .off
        return .device(PostingDevice(credential: nil, trust: trust))
    }()

    private let vault = TokenVault(.random())
    private let connection: PostgresConnection
    private var random: SeededRandom
    private var now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private var phones = (0..<4).map { _ in UUID() }
    private var readers: [FeedReader] = [FeedReader(isFilled: true)]
    private var place: Int64 = 0

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        connection = try TestDatabase.current.connect()
    }

    mutating func step() throws {
        now = now + .hours(Int64(random.within(1...72)))
        let phone = random.below(phones.count)
        switch random.below(20) {
        case 0...5: try register(addresses(upTo: 3), of: phones[phone], by: Self.device)
        case 6: try register(addresses(upTo: 2), of: phones[phone], by: .server)
        case 7:
            let delay = random.within(0...200)
            try register(addresses(upTo: 2), of: phones[phone], by: .server, delay: delay)
        case 8...11: try respond(about: address(random.below(12)), outcome())
        case 12...13: try importTable()
        case 14: try logOut(phones[phone])
        case 15:
            try erase(phones[phone])
            phones[phone] = UUID()
        case 16: try sweep()
        case 17: readers.append(FeedReader())
        default: try read(random.below(readers.count), limit: random.within(1...7))
        }
    }

    /// Reads to the end, and compares what the readers have with the pages.
    mutating func end() throws {
        var pages = FeedReader()
        while !pages.isFilled { _ = try pages.read(limit: 5, vault, now: now, on: connection) }
        for reader in readers.indices {
            while try read(reader, limit: 100) {}
            let table = readers[reader].table
            let differing = Set(table.keys).union(pages.table.keys)
                .filter { table[$0] != pages.table[$0] }.sorted()
            for tokenID in differing {
                Issue.record(
                    """
                    reader \(reader) has of token \(tokenID) \(String(describing: table[tokenID])), and the pages have \
                    \(String(describing: pages.table[tokenID]))
                    """)
            }
        }
    }

    @discardableResult
    private mutating func read(_ reader: Int, limit: Int) throws -> Bool {
        try readers[reader].read(limit: limit, vault, now: now, on: connection)
    }

    /// The rules of the changes since the last call that a reader sees.
    mutating func newRules() throws -> [String] {
        let changes = try ChangeFeed(vault: vault).changes(
            of: firstApp, after: place, limit: 100, on: connection)
        place = changes.last?.transitionID ?? place
        return changes.filter { !$0.isHidden }.map(\.rule)
    }

    // MARK: - Operations

    /// - Parameter delay: how many hours ago it was. Those of servers may be posted late.
    mutating func register(
        _ tokens: [TokenAddress], of phone: UUID, by poster: InstallationPoster, delay: Int = 0
    ) throws {
        var registration = Registration(deviceID: phone, registeredAt: now - .hours(Int64(delay)))
        registration.poster = poster
        registration.tokens = tokens
        for token in tokens where token.kind == .webPush && random.chance(0.7) {
            registration.keys[token] = WebPushKeys(
                bytes: Array(repeating: UInt8(random.below(3)), count: 81))
        }
        do {
            try connection.transaction {
                _ = try DeviceRegistry(vault: vault)
                    .register(registration, appID: firstApp, now: now, on: connection)
            }
        } catch DeviceRegistryError.tooManyValues {
            // Nothing of it is recorded.
        }
    }

    mutating func respond(about address: TokenAddress, _ outcome: ResponseOutcome) throws {
        let ledger = TokenLedger(vault: vault)
        let sentAt = now - .hours(Int64(random.within(0...5)))
        try connection.transaction {
            let targets = try ledger.resolve(
                [AppTokenAddress(appID: firstApp, address: address)], now: now, on: connection)
            guard let target = targets.first ?? nil, let token = target.token, target.isMeant(by: address)
            else { return }
            let evidence = TokenEvidence(
                outcome: outcome, provider: address.provider, status: 0, reason: nil, sentAt: sentAt,
                invalidSince: nil)
            try ledger.apply(
                [TokenResponse(appID: firstApp, token: token, evidence: evidence)], now: now, on: connection)
        }
    }

    private mutating func importTable() throws {
        var lines = ["value,kind,environment,topic,registered_at,device_id"]
        for token in addresses(upTo: 3) {
            let at = now - .hours(Int64(random.within(0...300)))
            let phone = random.chance(0.6) ? phones[random.below(phones.count)].uuidString : ""
            lines.append(
                [
                    token.text, token.kind.rawValue, token.environment.rawValue, token.topic, at.rfc3339,
                    phone,
                ].joined(separator: ","))
        }
        var pieces = [Array(lines.joined(separator: "\n").utf8)]
        let reader = try TokenImportReader(now: now) { pieces.popLast() ?? [] }
        _ = try TokenImport(appID: firstApp, vault: vault, on: connection).apply(reader, now: now)
    }

    private func logOut(_ phone: UUID) throws {
        try connection.transaction {
            _ = try DeviceRegistry(vault: vault).logOut(
                deviceID: phone, appID: firstApp, now: now, on: connection)
        }
    }

    func erase(_ phone: UUID) throws {
        try connection.transaction {
            _ = try Erasure(appID: firstApp).erase(phone, now: now, on: connection)
        }
    }

    private func sweep() throws {
        var rules = SweepRules()
        rules.maxShare = 1
        do {
            _ = try Sweep(appID: firstApp, on: connection, rest: { _ in }).apply(rules, now: now)
        } catch is SweepRefusal {
            // Nothing was heard for a day.
        }
    }

    // MARK: - Chance

    private mutating func outcome() -> ResponseOutcome {
        switch random.below(6) {
        case 0: ResponseOutcome(.rejected(.tokenDead), .invalidateIfNotReregistered)
        case 1: ResponseOutcome(.rejected(.tokenSuspect), .suspect)
        default: ResponseOutcome(.accepted, .keep)
        }
    }

    private mutating func addresses(upTo count: Int) -> [TokenAddress] {
        let first = random.below(12)
        return (0..<random.within(0...count)).map { address((first + $0 * 5) % 12) }
    }

    /// One of twelve values, as an app or a sender may name it.
    private mutating func address(_ number: Int) -> TokenAddress {
        let topic = random.chance(0.3) ? "" : "com.example.shop"
        guard number < 9 else {
            return TokenAddress(
                provider: "webpush", environment: .production, topic: topic, kind: .webPush,
                value: "https://push.example.com/\(number)")
        }
        let value = "a\(number)"
        return TokenAddress(
            provider: "apns", environment: random.chance(0.1) ? .sandbox : .production, topic: topic,
            kind: random.chance(0.2) ? .voip : .alert, value: value,
            text: random.chance(0.2) ? value.uppercased() : value)
    }
}

/// A sender with a table of its own: reads all tokens once, and then follows the changes.
private struct FeedReader {
    struct Row: Hashable {
        let value: [UInt8]
        /// Provider, kind, environment, topic and state.
        let fields: [String]
        let deviceID: String?
        let keys: WebPushKeys?
    }

    private(set) var table: [Int64: Row] = [:]
    private(set) var isFilled: Bool
    private var cursor: FeedCursor?
    private var place: Int64 = 0

    /// - Parameter isFilled: whether it follows the changes from the beginning, without reading the pages.
    init(isFilled: Bool = false) { self.isFilled = isFilled }

    /// Reads a page. Returns false if nothing was left.
    mutating func read(
        limit: Int, _ vault: TokenVault, now: Instant, on connection: PostgresConnection
    ) throws -> Bool {
        if isFilled { return try readChanges(limit: limit, vault, on: connection) }
        var filter = FeedFilter()
        filter.states = TokenState.allCases
        let page = try TokenFeed(vault: vault)
            .page(of: firstApp, filter, after: cursor, limit: limit, now: now, on: connection)
        for token in page.tokens {
            table[token.tokenID] = Row(
                value: token.value,
                fields: [token.provider, token.kind, token.environment, token.topic, token.state],
                deviceID: token.deviceID, keys: token.keys)
        }
        (cursor, isFilled, place) = (page.next, page.next == nil, page.changesAfter)
        return true
    }

    private mutating func readChanges(
        limit: Int, _ vault: TokenVault, on connection: PostgresConnection
    ) throws -> Bool {
        let changes = try ChangeFeed(vault: vault)
            .changes(of: firstApp, after: place, limit: limit, on: connection)
        for change in changes where !change.isHidden {
            table[change.tokenID] = change.value.map { value in
                Row(
                    value: value,
                    fields: [change.provider, change.kind, change.environment, change.topic, change.state],
                    deviceID: change.deviceID, keys: change.keys)
            }
        }
        place = changes.last?.transitionID ?? place
        return !changes.isEmpty
    }
}
