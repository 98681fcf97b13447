import DeliveryModel
import PostgresClient
import ReferenceModel
import Reports
import TestDatabase
import Testing

/// Random histories through decoder, validator, batcher and writer, against a reference that shares no code
/// with them.
@Suite(.database) struct WriterModelTests {
    @Test("rows, counters, quarantine and verdicts of 300 random histories are what the definitions say")
    func randomHistories() async throws {
        let database = TestDatabase.current
        let maker = HistoryMaker(now: .now, hasSkewedClocks: true)
        let outcome = try await WriterIntake(
            url: database.url, schema: TestDatabase.schema, pool: database.pool
        ).closing { intake in
            try await Soak(maker, to: intake, pool: database.pool).run(seeds: 1..<301)
        }
        if let failure = outcome.failure { Issue.record("\(failure)") }
        #expect(outcome.histories == 300)
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == Int64(outcome.notifications))
        // Counters that were folded meanwhile were compared as well.
        #expect(try await database.count("SELECT count(*) FROM landfall.counter_day") > 0)
    }
}
