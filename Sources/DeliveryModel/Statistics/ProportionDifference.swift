/// The difference of two independent proportions: the second minus the first.
public struct ProportionDifference: Hashable, Sendable {
    public let first: Proportion
    public let second: Proportion

    public init(from first: Proportion, to second: Proportion) {
        (self.first, self.second) = (first, second)
    }

    /// second − first, as a fraction; `nil` if either has no value.
    public var value: Double? {
        guard let before = first.value, let after = second.value else { return nil }
        return after - before
    }

    /// The change relative to the first: 0.1 means ten percent more. `nil` if the first is 0 or has no value.
    public var lift: Double? {
        guard let before = first.value, let value, before > 0 else { return nil }
        return value / before
    }

    /// Newcombe's 95 % interval of the difference, from the two Wilson intervals; `nil` if either has none.
    ///
    /// It has its nominal coverage for small and for rare numbers, where the textbook interval does not, and
    /// never leaves −1…1. (Newcombe 1998, method 10.)
    public var interval: ClosedRange<Double>? {
        guard let value, let before = first.value, let after = second.value,
            let firstInterval = first.interval, let secondInterval = second.interval
        else { return nil }
        let below = hypotenuse(after - secondInterval.lowerBound, firstInterval.upperBound - before)
        let above = hypotenuse(secondInterval.upperBound - after, before - firstInterval.lowerBound)
        return max(-1, value - below)...min(1, value + above)
    }

    /// The statistic of the two-proportion z-test, with the pooled variance and without continuity
    /// correction; `nil` if either has no value, or if both are 0 or both are 1.
    public var zScore: Double? {
        guard let value, let pooled else { return nil }
        let variance =
            pooled * (1 - pooled) * (1 / Double(first.denominator) + 1 / Double(second.denominator))
        return variance > 0 ? value / variance.squareRoot() : nil
    }

    /// The probability of a difference at least as large, in either direction, if the true rates are equal.
    public var pValue: Double? { zScore.map(Normal.twoSidedTail) }

    /// The smallest of the four expected counts, with and without in each group, if both had the pooled rate;
    /// `nil` if either has no value. The z-test requires at least 5.
    public var smallestExpectedCount: Double? {
        guard let pooled else { return nil }
        let smaller = Double(min(first.denominator, second.denominator))
        return smaller * min(pooled, 1 - pooled)
    }

    private var pooled: Double? {
        let denominator = first.denominator + second.denominator
        guard first.denominator > 0, second.denominator > 0 else { return nil }
        let rate = Double(first.numerator + second.numerator) / Double(denominator)
        return (0...1).contains(rate) ? rate : nil
    }

    private func hypotenuse(_ one: Double, _ other: Double) -> Double {
        (one * one + other * other).squareRoot()
    }
}
