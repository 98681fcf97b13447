import ReferenceModel
import TestDatabase
import Testing

/// Random lives of tokens through registry, writer, sweep, decisions and restorations, against a reference
/// that shares no code with them.
@Suite(.database) struct TokenModelTests {
    @Test("states, ledger, installations and the past of 256 random token lives are what the rules say")
    func randomHistories() async throws {
        let soak = try await TokenSoak(pool: TestDatabase.current.pool)
        let outcome = try await soak.run(seeds: 512..<768)
        if let failure = outcome.failure { Issue.record("\(failure)") }
        #expect(outcome.histories == 256)
        #expect(outcome.transitions > outcome.histories)
    }
}

/// Decision 5, checked in the reference; the product is compared with the reference.
struct TokenOrderTests {
    @Test("the order in which late responses are posted does not matter to 2,000 random sets of them")
    func orders() {
        let maker = TokenHistoryMaker()
        #expect((1..<2_001).compactMap { maker.differenceOfOrders(seed: $0) }.first == nil)
    }
}
