/// A rate that keeps its numerator and denominator: k of n.
public struct Proportion: Hashable, Sendable {
    public let numerator: Int64
    public let denominator: Int64

    public init(_ numerator: Int64, of denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// numerator / denominator, a fraction and not a percentage; nil when the denominator is 0.
    public var value: Double? {
        denominator > 0 ? Double(numerator) / Double(denominator) : nil
    }

    /// Wilson's 95 % score interval, as fractions. Nil when the denominator is 0, and when the numerator
    /// counts things that the denominator does not: then there is no chance process to speak of.
    ///
    /// Wilson's, because the textbook interval is wrong just where push rates live: it collapses to nothing
    /// at 0 of n and reaches below 0 for rare clicks. (Wilson 1927; Brown, Cai and DasGupta 2001, without
    /// continuity correction.)
    public var interval: ClosedRange<Double>? {
        guard let value, (0...denominator).contains(numerator) else { return nil }
        let n = Double(denominator)
        let z2 = Self.z * Self.z
        let centre = (value + z2 / (2 * n)) / (1 + z2 / n)
        let margin = Self.z / (1 + z2 / n) * (value * (1 - value) / n + z2 / (4 * n * n)).squareRoot()
        // The ends are exact in theory; rounding must not move them past what was observed.
        let low = numerator == 0 ? 0 : min(max(0, centre - margin), value)
        let high = numerator == denominator ? 1 : max(min(1, centre + margin), value)
        return low...high
    }

    private static let z = Normal.twoSided95
}
