internal import DeliveryModel

extension Proportion {
    /// The lower end of Wilson's interval, so many standard errors wide; 0 when the denominator is 0.
    func surelyAtLeast(_ sureness: Double) -> Double {
        guard let value, denominator > 0 else { return 0 }
        let n = Double(denominator)
        let z2 = sureness * sureness
        let centre = value + z2 / (2 * n)
        let margin = sureness * (value * (1 - value) / n + z2 / (4 * n * n)).squareRoot()
        return max(0, (centre - margin) / (1 + z2 / n))
    }

    /// How many standard errors this share lies above the other one (below, when negative), by the two-proportion test. 0 when
    /// nothing can be said.
    func standardErrors(above other: Proportion) -> Double {
        guard let value, let otherValue = other.value else { return 0 }
        let (n, m) = (Double(denominator), Double(other.denominator))
        let pooled = Double(numerator + other.numerator) / (n + m)
        let error = (pooled * (1 - pooled) * (1 / n + 1 / m)).squareRoot()
        return error > 0 ? (value - otherValue) / error : 0
    }

    static func + (left: Proportion, right: Proportion) -> Proportion {
        Proportion(left.numerator + right.numerator, of: left.denominator + right.denominator)
    }

    static func - (left: Proportion, right: Proportion) -> Proportion {
        Proportion(left.numerator - right.numerator, of: left.denominator - right.denominator)
    }

    static let nothing = Proportion(0, of: 0)

    /// `412 of 418`.
    var ofWords: String { "\(Words.number(numerator)) of \(Words.number(denominator))" }

    /// `98.6 %`; `nothing` when there is nothing to take a share of.
    var percentWords: String { value.map { "\(Words.percent($0)) %" } ?? "nothing" }

    /// With its 95 % interval: `12.3 % (10.1 to 14.8)`.
    var percentWithInterval: String {
        guard let interval else { return percentWords }
        return
            "\(percentWords) (\(Words.percent(interval.lowerBound)) to \(Words.percent(interval.upperBound)))"
    }
}

extension Sequence<Proportion> {
    var sum: Proportion { reduce(.nothing, +) }
}
