import DeliveryModel
import Foundation
import Logging
import PostgresClient
import TestDatabase
import Testing
import Vault

@testable import Ingestion

/// Items in the form of another sender.
@Suite(.database) struct PresetQuarantineTests {
    private let bench = QuarantineFixture()

    private func unread(_ text: String, of preset: String) -> BatchItem {
        BatchItem(
            appID: firstApp, text: Array(text.utf8)[...], preset: preset, poster: .server,
            content: .failure(ItemRejection(.unreadPost, "no event")))
    }

    private func replay(
        _ filter: QuarantineFilter = QuarantineFilter(), before: ([BatchItem]) throws -> Void = { _ in }
    ) async throws -> QuarantineReplayResult {
        let recorder = try await bench.recorder()
        let stock = QuarantineStock(appID: firstApp, on: try bench.database.connect())
        return try QuarantineReplay(stock, vault: bench.vault).apply(filter, now: .now) {
            try before($0)
            return try recorder.write($0, on: stock.connection)
        }
    }

    @Test("the same text in the form of two presets is two items, and a repeat is none")
    func distinct() async throws {
        let items = [unread("x", of: "sns"), unread("x", of: "huawei"), unread("x", of: "sns")]
        let verdicts = try await bench.writer().write(items)
        #expect(verdicts.allSatisfy { $0.outcome == .rejected(ItemRejection(.unreadPost, "no event")) })
        #expect(try await bench.books() == QuarantineBooks(kept: 2, repeated: 1))
        #expect(try await bench.differences().isEmpty)
    }

    @Test("a replay reads an item through its preset, and leaves what the preset still cannot read")
    func replayed() async throws {
        let event = QuarantineFixture.response(sentAt: .now - .minutes(1))
        _ = try await bench.writer().write([unread(event, of: "onesignal"), unread("x", of: "onesignal")])
        let result = try await replay()
        #expect((result.accepted, result.duplicates, result.rejected) == (1, 0, 1))
        #expect(try await bench.texts() == ["x"])
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery") == 1)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("a replay of one preset leaves the items of the others")
    func onePreset() async throws {
        let event = QuarantineFixture.response(sentAt: .now - .minutes(1))
        _ = try await bench.writer().write([unread(event, of: "onesignal"), unread("x", of: "sns")])
        #expect(try await replay(QuarantineFilter(preset: "sns")).rejected == 1)
        #expect(try await bench.itemCount() == 2)
        let result = try await replay(QuarantineFilter(preset: "onesignal"))
        #expect((result.accepted, result.rejected) == (1, 0))
        #expect(try await bench.texts() == ["x"])
    }

    /// An item of more parts than a slice has. Its receipts are about different tokens.
    private func largeItem(_ message: String) -> BatchItem {
        let receipts = (0..<500).map { #"{"biTag":"\#(message)","token":"t\#($0 / 100)_\#($0)","status":0}"# }
        return unread(#"{"statuses":[\#(receipts.joined(separator: ","))]}"#, of: "huawei")
    }

    @Test("items with many parts are written in slices; a replay that is killed between two is exact")
    func slices() async throws {
        struct Killed: Error {}
        let messages = ["a", "b", "c", "d", "e"]
        _ = try await bench.writer().write(messages.map(largeItem))
        var sizes: [Int] = []
        await #expect(throws: Killed.self) {
            try await replay { items in
                sizes.append(items.count)
                if sizes.count == 2 { throw Killed() }
            }
        }
        #expect(try await bench.itemCount() == 3)
        let result = try await replay { sizes.append($0.count) }
        #expect(result.accepted == 3)
        #expect(sizes == [1_000, 1_000, 1_000, 500])
        #expect(try await bench.itemCount() == 0)
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery") == 2_500)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("an item of more parts than a slice is written in several, and counts once")
    func oneLargeItem() async throws {
        struct Killed: Error {}
        let receipts = (0..<1_300).map { #"{"biTag":"a","token":"t\#($0)","status":0}"# }
        let item = unread(#"{"statuses":[\#(receipts.joined(separator: ","))]}"#, of: "huawei")
        #expect(item.text.count < FieldLimits.item)
        _ = try await bench.writer().write([item])
        var sizes: [Int] = []
        await #expect(throws: Killed.self) {
            try await replay { items in
                sizes.append(items.count)
                if sizes.count == 2 { throw Killed() }
            }
        }
        #expect(try await bench.itemCount() == 1)
        let result = try await replay { sizes.append($0.count) }
        #expect((result.accepted, result.duplicates) == (1, 0))
        #expect(sizes == [1_000, 300, 1_000, 300])
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery") == 1_300)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("an item in which the preset now finds only what it skips stays, and is no duplicate")
    func skipped() async throws {
        let email =
            #"{"event_id":"e","object_type":"email","metric":"sent","timestamp":1795795205,"data":{}}"#
        _ = try await bench.writer().write([unread(email, of: "customerio")])
        let result = try await replay()
        #expect((result.accepted, result.duplicates, result.rejected) == (0, 0, 1))
        #expect(try await bench.texts() == [email])
        #expect(try await bench.differences().isEmpty)
    }

    @Test("an item of a preset that this version does not have stays, even if it looks like an event")
    func laterPreset() async throws {
        let event = QuarantineFixture.response(sentAt: .now - .minutes(1))
        _ = try await bench.writer().write([unread(event, of: "of_a_later_version")])
        #expect(try await replay().rejected == 1)
        #expect(try await bench.itemCount() == 1)
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery") == 0)
    }

    @Test("a line that landfall post could not translate is kept with its text, and a replay leaves it")
    func unreadLine() async throws {
        let text = #"{"type":"unread_line","form":"sns","line":7,"code":"invalid_json","text":"broken {"}"#
        _ = try await bench.writer().write([QuarantineFixture.posted(text)])
        #expect(try await bench.texts() == [text])
        let codes = try await bench.database.count(
            "SELECT count(*) FROM landfall.quarantined_item WHERE code = 'unread_post' AND preset IS NULL")
        #expect(codes == 1)
        #expect(try await replay().rejected == 1)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("under another token key, an item posted again is still recognized")
    func resealed() async throws {
        let new = TokenVault(.random())
        _ = try await bench.writer().write([unread("x", of: "sns")])
        try await bench.database.pool.withConnection { [bench] connection in
            var place = SealedRowPlace(appID: 0, rowID: 0)
            while let moved = try SealedQuarantine()
                .moveNext(after: place, from: bench.vault, to: new, on: connection)
            {
                place = moved.place
            }
        }
        let taxonomy = try await bench.database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        _ = try await DeliveryWriter(
            pool: bench.database.pool, vault: new, taxonomy: taxonomy, logger: Logger(label: "test")
        ).write([unread("x", of: "sns")])
        #expect(try await bench.books() == QuarantineBooks(kept: 1, repeated: 1))
    }

    @Test("10,000 items take as many statements as 10")
    func flat() async throws {
        var counts: [Int] = []
        for size in [10, 500, 10_000] {
            let sent = SentStatements()
            var configuration = bench.database.configuration(size: 1)
            configuration.statementObserver = { sent.note($0) }
            let pool = PostgresPool(configuration, logger: Logger(label: "test"))
            let taxonomy = try await bench.database.pool.withConnection { try RejectionTaxonomy(from: $0) }
            let writer = DeliveryWriter(
                pool: pool, vault: bench.vault, taxonomy: taxonomy, logger: Logger(label: "test"))
            // The first batch of a pool reads what later ones know.
            _ = try await writer.write([unread("first of \(size)", of: "sns")])
            let before = sent.all.count
            _ = try await writer.write((0..<size).map { unread("\(size) \($0)", of: "sns") })
            counts.append(sent.all.count - before)
            try await pool.close()
        }
        #expect(Set(counts).count == 1, "\(counts)")
    }
}
