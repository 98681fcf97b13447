import DeliveryModel
import Foundation
import Logging
import PostgresClient
import Synchronization
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@testable import Ingestion

/// Everything under the token key moves to another one.
@Suite(.database) struct ResealTests {
    private let fixture = QuarantineFixture()
    private var old: TokenVault { fixture.vault }
    private let new = TokenVault(.random())
    private let now = Instant.now

    /// Creates this many tokens, one of them swept, and some garbage.
    private func fill(tokens count: Int) async throws {
        let (old, now) = (old, now)
        let rows = (0..<count).map { "\(value($0)),com.example.shop,\((now - .days(1)).rfc3339),\(UUID())" }
        let pieces = Mutex([
            Array(("value,topic,registered_at,device_id\n" + rows.joined(separator: "\n")).utf8)
        ])
        try await fixture.database.pool.withConnection { connection in
            try old.claim(connection)
            let reader = try TokenImportReader(now: now) { pieces.withLock { $0.popLast() ?? [] } }
            _ = try TokenImport(appID: firstApp, vault: old, on: connection).apply(reader, now: now)
        }
        try await fixture.database.execute(
            "UPDATE landfall.token SET sealed_value = NULL, state = 'retired', cause = 'swept' WHERE fingerprint = $1",
            [.value(old.fingerprint(of: value(0)))])
        _ = try await fixture.writer().write(QuarantineFixture.garbage(0..<3))
    }

    private func value(_ number: Int) -> String { String(format: "%08x", number) }

    private func reseal<Value: Sendable>(
        from first: TokenVault? = nil, to second: TokenVault? = nil,
        _ body: @escaping @Sendable (Reseal) throws -> Value
    ) async throws -> Value {
        let (first, second) = (first ?? old, second ?? new)
        return try await fixture.database.pool.withConnection { connection in
            try body(
                Reseal(from: first, to: second, of: [SealedTokens(), SealedQuarantine()], on: connection))
        }
    }

    @Test("the keys of Web Push subscriptions move, too")
    func webPushKeys() async throws {
        let keys = try #require(WebPushKeys(bytes: (0..<81).map { UInt8($0) }))
        let address = TokenAddress(
            provider: "webpush", environment: .production, topic: "", kind: .webPush,
            value: "https://push.example.com/1")
        var registration = Registration(deviceID: UUID(), registeredAt: now)
        registration.tokens = [address]
        registration.keys = [address: keys]
        try await fixture.database.pool.withTransaction { [registration, old, now] connection in
            try old.claim(connection)
            _ = try DeviceRegistry(vault: old)
                .register(registration, appID: firstApp, now: now, on: connection)
        }
        _ = try await reseal { try $0.apply() }
        let fed = try await fixture.database.pool.withConnection { [new, now] connection in
            try TokenFeed(vault: new)
                .page(of: firstApp, FeedFilter(), after: nil, limit: 10, now: now, on: connection).tokens
        }
        #expect(fed.map(\.keys) == [keys])
        #expect(fed.map { String(decoding: $0.value, as: UTF8.self) } == [address.value])
        // Damaged keys cost only the keys, and are counted.
        try await fixture.database.execute("UPDATE landfall.token SET sealed_keys = 'damaged'")
        let third = TokenVault(.random())
        let result = try await reseal(from: new, to: third) { try $0.apply() }
        #expect(result.moved["tokens"] == SealedRowCounts(rows: 1, unreadable: 1))
    }

    /// Registers a value again and returns the change.
    private func change(registering number: Int, _ vault: TokenVault) async throws -> RegistrationChange? {
        let (now, value) = (now, value(number))
        let deviceID = try await fixture.database.query(
            """
            SELECT coalesce((SELECT device_id FROM landfall.installation JOIN landfall.token USING (installation_id)
                             WHERE fingerprint = $1), gen_random_uuid())
            """, [.value(vault.fingerprint(of: value))]
        ) { try $0.get(0, as: UUID.self) }.first
        var registration = Registration(deviceID: try #require(deviceID), registeredAt: now)
        registration.tokens = [
            TokenAddress(
                provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                value: value)
        ]
        return try await fixture.database.pool.withTransaction { [registration] connection in
            try DeviceRegistry(vault: vault).register(registration, appID: firstApp, now: now, on: connection)
                .tokens.first?.change
        }
    }

    @Test("under the new key every value is found and can be read, and the old key no longer fits")
    func wholeWay() async throws {
        try await fill(tokens: 1_200)
        let plan = try await reseal { try $0.plan() }
        #expect(plan["tokens"] == SealedRowCounts(rows: 1_200, tombstones: 1))
        #expect(plan["quarantine"] == SealedRowCounts(rows: 3))
        let result = try await reseal { try $0.apply() }
        #expect(result.moved == plan)
        #expect(try await reseal { try $0.stage() } == .done)

        let (old, new) = (old, new)
        try await fixture.database.pool.withConnection { try new.claim($0) }
        await #expect(throws: TokenKeyError.notTheKeyOfThisDatabase) {
            try await fixture.database.pool.withConnection { try old.claim($0) }
        }
        let sealed = try await fixture.database.query(
            "SELECT fingerprint, sealed_value FROM landfall.token WHERE sealed_value IS NOT NULL"
        ) { (try $0.get(0, as: [UInt8].self), try $0.get(1, as: [UInt8].self)) }
        #expect(sealed.count == 1_199)
        for (fingerprint, sealed) in sealed {
            let value = String(decoding: try new.open(sealed, from: .token(ofApp: firstApp)), as: UTF8.self)
            #expect(new.fingerprint(of: value) == fingerprint)
        }
        #expect(try await change(registering: 7, new) == .refreshed)
        let texts = try await fixture.database.pool.withConnection { connection in
            try QuarantineStock(appID: firstApp, on: connection).newest(
                QuarantineFilter(), limit: 10, withText: true
            )
            .map { String(decoding: try $0.text(new), as: UTF8.self) }
        }
        #expect(texts.sorted() == ["garbage 0", "garbage 1", "garbage 2"])
    }

    @Test("an item already in quarantine is recognized when it is posted again")
    func repeatedItem() async throws {
        try await fill(tokens: 1)
        _ = try await reseal { try $0.apply() }
        let taxonomy = try await fixture.database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let writer = DeliveryWriter(
            pool: fixture.database.pool, vault: new, taxonomy: taxonomy, logger: Logger(label: "test"))
        _ = try await writer.write(QuarantineFixture.garbage(2..<4))
        #expect(try await fixture.books() == QuarantineBooks(kept: 4, repeated: 1))
    }

    @Test("a swept value is not recognized when it returns; its history stays")
    func tombstone() async throws {
        try await fill(tokens: 2)
        let ledger = "SELECT count(*) FROM landfall.token_transition"
        let before = try await fixture.database.count(ledger)
        _ = try await reseal { try $0.apply() }
        #expect(try await fixture.database.count(ledger) == before)
        #expect(try await change(registering: 0, new) == .registered)
        #expect(try await fixture.database.count("SELECT count(*) FROM landfall.token") == 3)
        let oldNames = "SELECT count(*) FROM landfall.token WHERE fingerprint = $1"
        #expect(
            try await fixture.database.count(oldNames, [.value(old.fingerprint(of: value(0)))]) == 0)
    }

    @Test("a value that is copied to another app cannot be read there")
    func copied() async throws {
        try await fixture.database.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('other', now())")
        let (vault, now) = (old, now)
        for (number, appID) in [(1, firstApp), (2, secondApp)] {
            var registration = Registration(deviceID: UUID(), registeredAt: now)
            registration.tokens = [
                TokenAddress(
                    provider: "apns", environment: .production, topic: "com.example.shop", kind: .alert,
                    value: value(number))
            ]
            try await fixture.database.pool.withTransaction { [registration] connection in
                _ = try DeviceRegistry(vault: vault).register(
                    registration, appID: appID, now: now, on: connection)
            }
        }
        #expect(try await values(of: secondApp, vault) == [value(2)])
        try await fixture.database.execute(
            """
            UPDATE landfall.token SET sealed_value = (SELECT sealed_value FROM landfall.token WHERE app_id = \(firstApp))
            WHERE app_id = \(secondApp)
            """)
        await #expect(throws: (any Error).self) { try await values(of: secondApp, vault) }
    }

    /// The token values that a sender of the app gets.
    private func values(of appID: Int64, _ vault: TokenVault) async throws -> [String] {
        let now = now
        return try await fixture.database.pool.withConnection { connection in
            try TokenFeed(vault: vault).page(
                of: appID, FeedFilter(), after: nil, limit: 10, now: now, on: connection
            ).tokens.map { String(decoding: $0.value, as: UTF8.self) }
        }
    }

    @Test("if the change is stopped in the middle, no key fits until the same two keys have finished it")
    func stopped() async throws {
        try await fill(tokens: 1_200)
        let asked = Mutex(0)
        let first = try await reseal { reseal in
            try reseal.apply(isStopped: {
                asked.withLock {
                    $0 += 1; return $0 > 1
                }
            })
        }
        #expect(first.wasStopped)
        #expect(first.moved["tokens"]?.rows == 1_000)
        #expect(try await reseal { try $0.stage() } == .begun)
        let (old, new) = (old, new)
        for vault in [old, new] {
            await #expect(throws: TokenKeyError.beingResealed) {
                try await fixture.database.pool.withConnection { try vault.claim($0) }
            }
            #expect(throws: TokenKeyError.beingResealed) {
                try vault.hold(fixture.database.connect())
            }
        }
        await #expect(throws: TokenKeyError.otherKeys) {
            try await reseal(to: TokenVault(.random())) { try $0.apply() }
        }
        let second = try await reseal { try $0.apply() }
        #expect(second.moved["tokens"]?.rows == 200)
        #expect(try await change(registering: 1, new) == .refreshed)
        #expect(try await change(registering: 1_199, new) == .refreshed)
        let settings = "SELECT count(*) FROM landfall.setting WHERE name LIKE 'token_key%'"
        #expect(try await fixture.database.count(settings) == 1)
    }

    @Test("while a server holds the key, nothing is moved")
    func inUse() async throws {
        try await fill(tokens: 3)
        let server = try fixture.database.connect()
        try old.hold(server)
        await #expect(throws: LockTaken(.tokenKey)) { try await reseal { try $0.apply() } }
        #expect(try await reseal { try $0.stage() } == .notBegun)
        #expect(try await change(registering: 1, old) == .refreshed)
        withExtendedLifetime(server) {}
    }

    @Test("keys that are not the database's, or the same key twice, are rejected")
    func wrongKeys() async throws {
        try await fill(tokens: 3)
        await #expect(throws: TokenKeyError.notTheKeyOfThisDatabase) {
            try await reseal(from: TokenVault(.random())) { try $0.apply() }
        }
        let old = old
        await #expect(throws: TokenKeyError.sameKey) { try await reseal(to: old) { try $0.apply() } }
    }

    @Test("an item of which only the beginning is kept is moved too")
    func longItem() async throws {
        _ = try await fixture.writer().write([QuarantineFixture.posted(String(repeating: "x", count: 70_000))]
        )
        _ = try await reseal { try $0.apply() }
        let new = new
        let lengths = try await fixture.database.pool.withConnection { connection in
            try QuarantineStock(appID: firstApp, on: connection).newest(
                QuarantineFilter(), limit: 10, withText: true
            )
            .map { try $0.text(new).count }
        }
        #expect(lengths == [64 << 10])
    }
}
