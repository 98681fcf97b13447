import DeliveryModel
import Testing

@Suite("A proportion")
struct ProportionTests {
    struct Known: Sendable {
        let numerator: Int64
        let denominator: Int64
        let low: Double
        let high: Double
    }

    @Test(
        "has Wilson's interval, as Newcombe (1998) tabulates it",
        arguments: [
            Known(numerator: 81, denominator: 263, low: 0.2553, high: 0.3662),
            Known(numerator: 15, denominator: 148, low: 0.0624, high: 0.1605),
            Known(numerator: 0, denominator: 20, low: 0, high: 0.1611),
            Known(numerator: 1, denominator: 29, low: 0.0061, high: 0.1718),
            Known(numerator: 10, denominator: 10, low: 0.7225, high: 1),
        ])
    func interval(known: Known) throws {
        let interval = try #require(Proportion(known.numerator, of: known.denominator).interval)
        #expect(abs(interval.lowerBound - known.low) < 0.000_05)
        #expect(abs(interval.upperBound - known.high) < 0.000_05)
    }

    @Test("without a denominator has neither value nor interval")
    func emptyDenominator() {
        #expect(Proportion(0, of: 0).value == nil)
        #expect(Proportion(0, of: 0).interval == nil)
    }

    @Test("above 1 has neither value nor interval")
    func aboveOne() {
        #expect(Proportion(3, of: 2).value == nil)
        #expect(Proportion(3, of: 2).interval == nil)
    }

    @Test("of estimated counts has a wider interval: the errors add in quadrature")
    func estimated() throws {
        let counted = try #require(Proportion(600_000, of: 1_000_000).interval)
        let estimated = try #require(Proportion(600_000, of: 1_000_000, relativeError: 0.01).interval)
        // 0.6 · 1.96 %, compared with which Wilson's tenth of a percent hardly counts.
        #expect(abs(estimated.lowerBound - (0.6 - 0.011_799)) < 0.000_005)
        #expect(abs(estimated.upperBound - (0.6 + 0.011_799)) < 0.000_005)
        #expect(counted.lowerBound > 0.599 && counted.upperBound < 0.601)
        #expect(try #require(Proportion(9, of: 9, relativeError: 0.5).interval).upperBound == 1)
        #expect(try #require(Proportion(1, of: 9, relativeError: 2).interval).lowerBound == 0)
    }

    @Test("is within its own interval, whatever the rounding")
    func containsItself() throws {
        for denominator: Int64 in [1, 2, 3, 7, 1_000, 1_000_000_007] {
            for numerator in [0, 1, denominator / 3, denominator - 1, denominator] {
                let proportion = Proportion(numerator, of: denominator)
                #expect(try #require(proportion.interval).contains(try #require(proportion.value)))
            }
        }
    }

    @Test("of rounded counts has no value unless rounding changes each of them by less than a tenth")
    func roundedValue() {
        for (numerator, denominator) in [(0, 20), (90, 120), (90, 90), (0, 1_000)] as [(Int64, Int64)] {
            let rate = Proportion(numerator, of: denominator, roundedBy: 9)
            #expect(rate.value == nil && rate.interval == nil, "\(numerator) of \(denominator)")
        }
        #expect(Proportion(100, of: 100, roundedBy: 9).value == 1)
        #expect(Proportion(8, of: 24).value != nil)
    }

    @Test("of rounded counts has an interval that includes that of all counts that are rounded to these")
    func roundedInterval() throws {
        let rounded = try #require(Proportion(120, of: 250, roundedBy: 9).interval)
        for (numerator, denominator) in [(120, 250), (129, 250), (120, 259), (129, 259)] as [(Int64, Int64)] {
            let exact = try #require(Proportion(numerator, of: denominator).interval)
            #expect(rounded.lowerBound <= exact.lowerBound && exact.upperBound <= rounded.upperBound)
        }
        let all = try #require(Proportion(100, of: 100, roundedBy: 9).interval)
        let exact = try #require(Proportion(100, of: 109).interval)
        #expect(all.upperBound == 1 && all.lowerBound <= exact.lowerBound)
    }
}
