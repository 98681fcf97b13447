import DeliveryModel
import Ingestion
import Testing

@testable import LandfallServer

@Suite struct EventWarningsTests {
    @Test("a request gets its first ten warnings, and the first of each further code")
    func warnings() {
        func verdict(_ warnings: ItemWarnings) -> Verdict {
            var verdict = Verdict.duplicate
            verdict.warnings = warnings
            return verdict
        }
        let verdicts =
            Array(repeating: verdict(.unregisteredToken), count: 12)
            + [verdict([.unregisteredToken, .reusedID]), verdict(.reusedID), verdict(.noOccurredAt)]
        let warnings = EventsResponse(verdicts).warnings
        #expect(warnings.prefix(10).map(\.code) == Array(repeating: "unregistered_token", count: 10))
        #expect(warnings.dropFirst(10).map(\.code) == ["reused_id", "no_occurred_at"])
        #expect(warnings.dropFirst(10).map(\.index) == [12, 14])
    }
}
