import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

@testable import Ingestion

@Suite(.database) struct QuarantineReplayTests {
    private let bench = QuarantineFixture()
    private var stock: QuarantineStock {
        get throws { QuarantineStock(appID: firstApp, on: try bench.database.connect()) }
    }

    /// Posts three responses that are too old for a retention of one day, and garbage.
    private func fill() async throws {
        let sentAt = Instant.now - .days(3)
        let tooOld = (0..<3).map { _ in
            QuarantineFixture.posted(QuarantineFixture.response(sentAt: sentAt), retention: .days(1))
        }
        _ = try await bench.writer().write(tooOld + QuarantineFixture.garbage([1]))
    }

    /// - Parameter write: receives the items, and what usually records them.
    private func replay(
        _ filter: QuarantineFilter = QuarantineFilter(),
        write: ([BatchItem], QuarantineReplay.Write) throws -> [Verdict] = { try $1($0) }
    ) async throws -> QuarantineReplayResult {
        let recorder = try await bench.recorder()
        let stock = try stock
        return try QuarantineReplay(stock, vault: bench.vault).apply(filter, now: .now) { items in
            try write(items) { try recorder.write($0, on: stock.connection) }
        }
    }

    @Test("a plan says what would be posted and what would be rejected again, and changes nothing")
    func plan() async throws {
        try await fill()
        let replay = try QuarantineReplay(stock, vault: bench.vault)
        let plan = try replay.plan(QuarantineFilter(), now: .now)
        #expect(plan.postable == 3)
        #expect(plan.rejected == 1)
        #expect(try replay.plan(QuarantineFilter(codes: [.tooOld]), now: .now).rejected == 0)
        #expect(try await bench.itemCount() == 4)
    }

    @Test("a valid item is recorded and removed; an invalid one stays; a second replay finds nothing to do")
    func fixed() async throws {
        try await fill()
        let result = try await replay()
        #expect(result.accepted == 3)
        #expect(result.rejected == 1)
        #expect(try await bench.texts() == ["garbage 1"])
        #expect(try await bench.books() == QuarantineBooks(kept: 4, replayed: 3))
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery") == 3)
        #expect(try await bench.differences().isEmpty)
        let again = try await replay()
        #expect(again.accepted == 0)
        #expect(again.rejected == 1)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("an item whose id is not a UUID is recorded under the id that its app's posts have")
    func textID() async throws {
        let text = QuarantineFixture.response(sentAt: .now - .days(3), id: "order-4711")
        _ = try await bench.writer().write([QuarantineFixture.posted(text, retention: .days(1))])
        #expect(try await replay().accepted == 1)
        let ids = try await bench.database.query("SELECT notification_id FROM landfall.delivery") {
            try $0.get(0, as: UUID.self)
        }
        #expect(ids == [try ChosenID("order-4711").uuid(inApp: firstApp)])
    }

    @Test("an item sent on a dropped day stays, whatever the retention")
    func dropped() async throws {
        try await fill()
        try await bench.database.execute(
            "INSERT INTO landfall.retention (kept_from) VALUES (now() - interval '2 days')")
        let result = try await replay()
        #expect(result.accepted == 0 && result.rejected == 4)
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery") == 0)
    }

    @Test("an item that was written but not removed is a duplicate the next time, and is removed then")
    func interrupted() async throws {
        struct Broken: Error {}
        try await fill()
        await #expect(throws: Broken.self) {
            try await replay { items, record in
                _ = try record(items)
                throw Broken()
            }
        }
        #expect(try await bench.itemCount() == 4)
        #expect(try await replay(QuarantineFilter(codes: [.tooOld])).duplicates == 3)
        #expect(try await bench.itemCount() == 1)
        #expect(try await bench.differences().isEmpty)
    }

    @Test("a replay keeps the rights of the key that posted: a response posted by a device stays forbidden")
    func rights() async throws {
        let text = QuarantineFixture.response(sentAt: .now)
        _ = try await bench.writer().write([QuarantineFixture.posted(text, poster: .device)])
        #expect(try await replay().rejected == 1)
        #expect(try await bench.itemCount() == 1)
        #expect(try await bench.database.count("SELECT count(*) FROM landfall.delivery") == 0)
    }

    @Test("a replay that starts while another of the same app runs is told so")
    func twice() async throws {
        try await fill()
        let result = try await replay { items, record in
            let other = try QuarantineReplay(stock, vault: bench.vault)
            #expect(throws: LockTaken(.replay)) {
                try other.apply(QuarantineFilter(), now: .now) { _ in [] }
            }
            return try record(items)
        }
        #expect(result.accepted == 3)
        #expect(try await replay().rejected == 1)
    }

    @Test("an item that the writer rejects again stays")
    func rejectedByTheWriter() async throws {
        try await fill()
        let result = try await replay { items, _ in
            items.map { _ in .rejected(ItemRejection(.invalidField, "no")) }
        }
        #expect(result.rejected == 4)
        #expect(try await bench.itemCount() == 4)
        #expect(try await bench.books() == QuarantineBooks(kept: 4))
    }

    @Test("dropped items are removed permanently and counted; a filter spares the others")
    func drop() async throws {
        try await fill()
        let stock = try stock
        #expect(try stock.drop(QuarantineFilter(to: .now - .hours(1))) == 0)
        #expect(try stock.drop(QuarantineFilter(codes: [.tooOld])) == 3)
        #expect(try await bench.texts() == ["garbage 1"])
        let id = try stock.newest(QuarantineFilter(), limit: 1, withText: false)[0].itemID
        #expect(try stock.drop(QuarantineFilter(itemIDs: [id + 1])) == 0)
        #expect(try stock.drop(QuarantineFilter(itemIDs: [id])) == 1)
        #expect(try await bench.books() == QuarantineBooks(kept: 4, dropped: 4))
        #expect(try await bench.differences().isEmpty)
    }

    @Test("the summary counts by code, the most frequent first")
    func groups() async throws {
        try await fill()
        let groups = try stock.groups(QuarantineFilter())
        #expect(groups.map(\.code) == ["too_old", "invalid_json"])
        #expect(groups.map(\.items) == [3, 1])
        #expect(groups[1].bytes == 29 + 9)
        #expect(try stock.groups(QuarantineFilter(codes: [.tooLong])).isEmpty)
    }
}
