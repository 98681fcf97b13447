import DeliveryModel
import Testing

@Suite("The difference of two proportions")
struct ProportionDifferenceTests {
    struct Known: Sendable {
        let first: Proportion
        let second: Proportion
        let low: Double
        let high: Double

        init(_ first: (Int64, Int64), _ second: (Int64, Int64), _ low: Double, _ high: Double) {
            self.first = Proportion(first.0, of: first.1)
            self.second = Proportion(second.0, of: second.1)
            self.low = low
            self.high = high
        }
    }

    @Test(
        "has the interval that Newcombe (1998) tabulates, method 10",
        arguments: [
            Known((56, 70), (48, 80), 0.0524, 0.3339), Known((9, 10), (3, 10), 0.1705, 0.8090),
            Known((6, 7), (2, 7), 0.0582, 0.8062), Known((5, 56), (0, 29), -0.0381, 0.1926),
            Known((0, 10), (0, 20), -0.1611, 0.2775), Known((0, 10), (0, 10), -0.2775, 0.2775),
            Known((10, 10), (0, 20), 0.6791, 1), Known((10, 10), (0, 10), 0.6075, 1),
        ])
    func newcombe(known: Known) throws {
        let interval = try #require(ProportionDifference(from: known.second, to: known.first).interval)
        #expect(abs(interval.lowerBound - known.low) < 0.000_05)
        #expect(abs(interval.upperBound - known.high) < 0.000_05)
        let reversed = try #require(ProportionDifference(from: known.first, to: known.second).interval)
        #expect(abs(reversed.lowerBound + known.high) < 0.000_05)
    }

    /// z² is Pearson's χ² of the fourfold table: 7.0234 with one degree of freedom.
    @Test("is tested with the pooled variance, two-sided")
    func zTest() throws {
        let difference = ProportionDifference(from: Proportion(48, of: 80), to: Proportion(56, of: 70))
        let z = try #require(difference.zScore)
        #expect(abs(z * z - 7.023_4) < 0.000_05)
        #expect(abs(try #require(difference.pValue) - 0.008_045) < 0.000_001)
        #expect(abs(try #require(difference.lift) - 1.0 / 3) < 0.000_001)
    }

    @Test("comes with the expected count of each kind")
    func expected() throws {
        let difference = ProportionDifference(from: Proportion(2, of: 100), to: Proportion(1, of: 50))
        #expect(abs(try #require(difference.smallestExpectedCount) - 1) < 0.000_001)
    }

    @Test("has neither interval nor test if one of them has no denominator")
    func nothing() {
        let difference = ProportionDifference(from: Proportion(0, of: 0), to: Proportion(1, of: 2))
        #expect(difference.value == nil)
        #expect(difference.interval == nil)
        #expect(difference.pValue == nil)
        #expect(difference.smallestExpectedCount == nil)
        #expect(difference.lift == nil)
    }

    @Test("has no test if both are all or both are none, and no lift from 0")
    func certain() {
        let none = ProportionDifference(from: Proportion(0, of: 9), to: Proportion(0, of: 9))
        #expect(none.zScore == nil)
        #expect(none.lift == nil)
        #expect(none.value == 0)
    }

    @Test("is corrected for the number of tests by Holm's steps, in the original order")
    func holm() {
        let corrected = HolmCorrection.corrected([0.01, 0.04, 0.03, 0.005])
        for (value, expected) in zip(corrected, [0.03, 0.06, 0.06, 0.02]) {
            #expect(abs(value - expected) < 0.000_001)
        }
        #expect(HolmCorrection.corrected([0.5, 0.9]) == [1, 1])
        #expect(HolmCorrection.corrected([]).isEmpty)
    }
}
