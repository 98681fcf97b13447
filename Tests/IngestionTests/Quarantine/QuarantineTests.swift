import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing
import Vault

@testable import Ingestion

@Suite(.database) struct QuarantineTests {
    private let bench = QuarantineFixture()

    @Test("an item posted again is counted and not kept twice; another code or poster makes it another item")
    func repeated() async throws {
        let writer = try await bench.writer()
        let item = QuarantineFixture.rejected("x", .invalidJSON)
        let verdicts = try await writer.write([item, item])
        #expect(verdicts.count { if case .rejected = $0.outcome { true } else { false } } == 2)
        _ = try await writer.write([item])
        _ = try await writer.write([
            QuarantineFixture.rejected("x", .tooLong),
            QuarantineFixture.rejected("x", .tooLong, poster: .device),
        ])
        #expect(try await bench.books() == QuarantineBooks(kept: 3, repeated: 2))
        #expect(try await bench.itemCount() == 3)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("items that differ only past the longest text are different items")
    func longTexts() async throws {
        let beginning = String(repeating: "x", count: 70_000)
        _ = try await bench.writer().write([
            QuarantineFixture.posted(beginning + "1"), QuarantineFixture.posted(beginning + "2"),
        ])
        #expect(try await bench.itemCount() == 2)
        #expect(try await bench.texts().map(\.utf8.count) == [64 << 10, 64 << 10])
    }

    @Test("beyond the item limit, the oldest items are evicted and counted")
    func evictsItems() async throws {
        let writer = try await bench.writer(QuarantineLimits(items: 10))
        for number in 0..<25 { _ = try await writer.write(QuarantineFixture.garbage([number])) }
        #expect(try await bench.texts() == (15..<25).map { "garbage \($0)" })
        #expect(try await bench.books() == QuarantineBooks(kept: 25, evicted: 15))
        #expect(try await bench.differences().isEmpty)
    }

    @Test("beyond the byte limit, the oldest items are evicted, however short or long they are")
    func evictsBytes() async throws {
        let writer = try await bench.writer(QuarantineLimits(bytes: 1_000))
        for number in 0..<30 { _ = try await writer.write(QuarantineFixture.garbage([number])) }
        let long = String(repeating: "y", count: 900)
        _ = try await writer.write([QuarantineFixture.rejected(long, .invalidJSON)])
        // 28 bytes of nonce and tag each: 928, and one short item of 38 bytes as well.
        #expect(try await bench.texts() == ["garbage 29", long])
        #expect(try await bench.differences().isEmpty)
    }

    @Test("one app's flood takes no room from another's quarantine")
    func apart() async throws {
        let writer = try await bench.writer(QuarantineLimits(items: 5))
        _ = try await writer.write(QuarantineFixture.garbage(0..<5, app: 2))
        _ = try await writer.write(
            QuarantineFixture.garbage(0..<100) + QuarantineFixture.garbage(5..<6, app: 2))
        #expect(try await bench.itemCount() == 5)
        #expect(try await bench.itemCount(app: 2) == 5)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("devices and servers have shares of their own: neither evicts an item of the other")
    func shares() async throws {
        let writer = try await bench.writer(QuarantineLimits(items: 5, bytes: 10_000))
        func flood(_ poster: EventValidator.Poster, _ text: String) -> [BatchItem] {
            (0..<40).map { QuarantineFixture.rejected("\(text) \($0)", .invalidJSON, poster: poster) }
        }
        _ = try await writer.write(QuarantineFixture.garbage(0..<5))
        _ = try await writer.write(flood(.device, "short"))
        _ = try await writer.write(flood(.device, String(repeating: "long", count: 2_000)))
        #expect(try await bench.texts().filter { $0.hasPrefix("garbage") }.count == 5)
        #expect(try await bench.itemCount() == 6)
        _ = try await writer.write(flood(.server, "server"))
        #expect(try await bench.itemCount() == 6)
        let stock = QuarantineStock(appID: firstApp, on: try bench.database.connect())
        #expect(try stock.books(of: .device) == QuarantineBooks(kept: 80, evicted: 79))
        #expect(try stock.books(of: .server) == QuarantineBooks(kept: 45, evicted: 40))
        #expect(try stock.books() == QuarantineBooks(kept: 125, evicted: 119))
        #expect(try stock.groups(QuarantineFilter(poster: .device)).map(\.items) == [1])
        #expect(
            try stock.newest(QuarantineFilter(poster: .server), limit: 9, withText: false).map(\.poster)
                == Array(repeating: .server, count: 5))
        // Only the items that the filter selects are dropped, and the accounts of both shares stay right.
        #expect(try stock.drop(QuarantineFilter(poster: .device)) == 1)
        #expect(try stock.books(of: .device).dropped == 1)
        #expect(try stock.drop(QuarantineFilter()) == 5)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("a batch that is rolled back leaves neither items nor counts")
    func rolledBack() async throws {
        struct Broken: Error {}
        let quarantine = Quarantine(vault: bench.vault)
        await #expect(throws: Broken.self) {
            try await bench.database.pool.withTransaction { connection in
                try quarantine.keep(
                    QuarantineFixture.garbage(0..<3), now: .now, shard: 3, on: connection)
                throw Broken()
            }
        }
        #expect(try await bench.itemCount() == 0)
        #expect(try await bench.books() == QuarantineBooks())
    }

    @Test(
        "a flood from four writers stays within the limit while events continue, and verify agrees at every moment"
    )
    func flood() async throws {
        let limit: Int64 = 200
        let (writers, batch) = (4, 50)
        let most = limit * 11 / 10 + Int64(writers * batch)
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<writers {
                let writer = try await bench.writer(QuarantineLimits(items: limit), shard: Int16(number))
                group.addTask { try await flood(writer, number, batch, most) }
            }
            for _ in 0..<8 { #expect(try await bench.differences().isEmpty) }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 4 * 15)
        // A writer that found another one evicting left the rest to it: the next batch evicts that too.
        _ = try await bench.writer(QuarantineLimits(items: limit)).write(QuarantineFixture.garbage([-1]))
        #expect(try await bench.itemCount() == limit)
        #expect(try await bench.differences().isEmpty)
        #expect(try await bench.books().kept == Int64(4 * 15 * batch + 1))
    }

    /// Writes 15 batches of garbage with an event in each, and returns how many items were accepted.
    private func flood(_ writer: DeliveryWriter, _ number: Int, _ batch: Int, _ most: Int64) async throws
        -> Int
    {
        var accepted = 0
        for round in 0..<15 {
            let first = (number * 15 + round) * batch
            let event = QuarantineFixture.posted(QuarantineFixture.response(sentAt: .now))
            let verdicts = try await writer.write(
                QuarantineFixture.garbage(first..<first + batch) + [event])
            accepted += verdicts.count { $0.outcome == .accepted }
            #expect(try await bench.itemCount() <= most)
        }
        return accepted
    }

    @Test("texts cannot be read with another token key")
    func otherKey() async throws {
        _ = try await bench.writer().write(QuarantineFixture.garbage([1]))
        let items = try await bench.database.pool.withConnection {
            try QuarantineStock(appID: firstApp, on: $0).newest(QuarantineFilter(), limit: 1, withText: true)
        }
        #expect(throws: (any Error).self) { try items[0].text(TokenVault(.random())) }
    }

    @Test("rows that the accounts do not know are found")
    func unaccounted() async throws {
        try await bench.database.execute(
            """
            INSERT INTO landfall.quarantined_item (app_id, received_at, code, detail, sealed_text)
            VALUES (1, now(), 'invalid_json', '', '\\x00'), (1, now(), 'invalid_json', '', '\\x0000')
            """)
        #expect(try await bench.differences().map(\.measure) == ["device_items", "device_bytes"])
    }
}
