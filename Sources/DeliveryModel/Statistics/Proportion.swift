/// A rate with its numerator and denominator: k as a part of n. Otherwise it has no value or interval.
public struct Proportion: Hashable, Sendable {
    public let numerator: Int64
    public let denominator: Int64

    /// One standard error of the value, relative to it, because its counts are estimates; 0 if counted.
    public let relativeError: Double

    /// How much too small each count may be because it was rounded down; 0 if it is exact.
    public let roundedBy: Int64

    public init(_ numerator: Int64, of denominator: Int64, relativeError: Double = 0, roundedBy: Int64 = 0) {
        (self.numerator, self.denominator) = (numerator, denominator)
        (self.relativeError, self.roundedBy) = (relativeError, roundedBy)
    }

    /// Whether the numerator can be a part of the denominator. Reports check this for all their rates.
    public var isPart: Bool { numerator >= 0 && numerator <= denominator }

    /// numerator / denominator, a fraction from 0 to 1 and not a percentage; `nil` if the denominator is 0,
    /// or if rounding could have changed one of the counts by a tenth.
    public var value: Double? {
        guard denominator > 0, isPart, roundedBy == 0 || numerator >= (roundedBy + 1) * 10 else { return nil }
        return Double(numerator) / Double(denominator)
    }

    /// Wilson's 95 % score interval, as fractions; `nil` if the denominator is 0.
    ///
    /// The textbook interval fails in the usual range of push rates: at 0 of n its width is 0, and for rare
    /// clicks it reaches below 0. (Wilson 1927; Brown, Cai and DasGupta 2001, without continuity correction.)
    ///
    /// If the counts are estimates, their error is added to both sides by the sum of squares, as for
    /// independent errors. If they are rounded, the interval spans those of all counts that round to these.
    public var interval: ClosedRange<Double>? { interval(standardErrors: Normal.twoSided95) }

    /// The interval that is this many standard errors wide on each side.
    public func interval(standardErrors z: Double) -> ClosedRange<Double>? {
        guard let value else { return nil }
        guard roundedBy == 0 else {
            let lowest = Proportion(numerator, of: denominator + roundedBy)
            let highest = Proportion(min(numerator + roundedBy, denominator), of: denominator)
            guard let low = lowest.interval(standardErrors: z), let high = highest.interval(standardErrors: z)
            else { return nil }
            return low.lowerBound...high.upperBound
        }
        let n = Double(denominator)
        let z2 = z * z
        let center = (value + z2 / (2 * n)) / (1 + z2 / n)
        let margin = z / (1 + z2 / n) * (value * (1 - value) / n + z2 / (4 * n * n)).squareRoot()
        // The ends are exact in theory; rounding must not move them past the observed value.
        let low = numerator == 0 ? 0 : min(max(0, center - margin), value)
        let high = numerator == denominator ? 1 : max(min(1, center + margin), value)
        guard relativeError > 0 else { return low...high }
        let error = z * relativeError * value
        let below = ((value - low) * (value - low) + error * error).squareRoot()
        let above = ((high - value) * (high - value) + error * error).squareRoot()
        return max(0, value - below)...min(1, value + above)
    }
}
