import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

@testable import ReferenceModel

@Suite("Counters folded in random histories", .database) struct HistoryFoldTests {
    private var database: TestDatabase { .current }

    @Test("are in one history of eight, and the seed determines where and how far")
    func seeds() {
        let maker = HistoryMaker(
            now: Instant(millisecondsSinceEpoch: 1_800_000_000_000), hasSkewedClocks: true)
        let histories = (1..<801 as Range<UInt64>).map { maker.history(seed: $0) }
        let folded = histories.filter { !$0.folds.isEmpty }
        #expect((60...140).contains(folded.count))
        #expect(folded.allSatisfy { maker.history(seed: $0.seed).description == $0.description })
        #expect(folded.allSatisfy { $0.description.contains("are folded") })
        let midnight = maker.now.startOfUTCDay
        #expect(folded.contains { $0.folds[0] <= midnight - .days(1) })
        #expect(folded.contains { $0.folds[0] > midnight - .days(1) && $0.folds[0] < midnight })
        #expect(folded.contains { $0.folds[0] >= midnight })
    }

    @Test("remain in the reduced form of a history that they make fail, whichever program folded")
    func shrunk() async throws {
        try await database.execute(
            """
            CREATE FUNCTION count_one_more() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN NEW.notifications := NEW.notifications + 1; RETURN NEW; END $$
            """)
        try await database.execute(
            """
            CREATE TRIGGER count_one_more BEFORE INSERT ON landfall.headline_quarter
            FOR EACH ROW WHEN (NEW.campaign_id <> 0) EXECUTE FUNCTION count_one_more()
            """)
        let database = database
        let maker = HistoryMaker(now: .now, hasSkewedClocks: true)
        let outcome = try await WriterIntake(
            url: database.url, schema: TestDatabase.schema, pool: database.pool
        ).closing { intake in
            try await Soak(maker, to: intake, pool: database.pool, historiesAtOnce: 32).run(seeds: 1..<301)
        }
        let failure = try #require(outcome.failure)
        #expect(failure.smallest.itemCount == 1)
        #expect(failure.smallest.folds.count == 1)
        #expect(failure.smallestDifferences.contains { $0.hasPrefix("counters: ") })
    }
}
