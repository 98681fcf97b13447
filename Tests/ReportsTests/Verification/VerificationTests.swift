import Testing

@testable import Reports

@Suite("Verification")
struct VerificationTests {
    private let key = CounterKey(
        appID: 1, quarter: instant("2026-03-01T10:00:00Z"), campaignID: 5, segmentID: 9)
    @Test("reads a missing counter as 0")
    func missing() {
        var verification = Verification()
        verification.compare("t", [key: [0, 0]], [:], names: ["a", "b"])
        verification.compare("t", [:], [key: [0, 0]], names: ["a", "b"])
        #expect(verification.counters == 4)
        #expect(verification.differenceCount == 0)
    }

    @Test("names table, quarter hour, campaign, segment and measure of a difference")
    func difference() {
        var verification = Verification()
        verification.compare("counter", [key: [1, 2]], [key: [1, 3]], names: ["a", "b"])
        #expect(
            verification.differences == [
                .init(
                    table: "counter", appID: 1, quarter: key.quarter, campaignID: 5, segmentID: 9,
                    measure: "b", counted: 2, recorded: 3)
            ])
    }

    @Test("keeps a thousand differences and counts the rest")
    func limit() {
        let counted = (0..<1_500).map { number in
            (
                CounterKey(appID: 1, quarter: key.quarter, campaignID: number, segmentID: nil), [Int64(1)]
            )
        }
        var verification = Verification()
        verification.compare("t", Dictionary(uniqueKeysWithValues: counted), [:], names: ["a"])
        #expect(verification.differenceCount == 1_500)
        #expect(verification.differences.count == 1_000)
        #expect(verification.differences.first?.campaignID == 0)
    }

    @Test("covers all of time without a gap: whole days, and what is before and after them")
    func spans() {
        let spans = Verification.days(
            from: instant("2026-03-01T23:45:00Z"), through: instant("2026-03-03T00:00:00Z"))
        #expect(spans.count == 5)
        #expect(spans[1] == instant("2026-03-01T00:00:00Z")..<instant("2026-03-02T00:00:00Z"))
        #expect(spans[4].lowerBound == instant("2026-03-04T00:00:00Z"))
        #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }
}
