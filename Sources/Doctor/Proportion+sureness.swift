internal import DeliveryModel

extension Proportion {
    /// The lower end of Wilson's interval at this many standard errors; 0 if the denominator is 0.
    func surelyAtLeast(_ sureness: Double) -> Double {
        interval(standardErrors: sureness)?.lowerBound ?? 0
    }

    /// The number of standard errors by which this share is above the other one (below, if
    /// negative), by the two-proportion test; 0 if nothing can be said.
    func standardErrors(above other: Proportion) -> Double {
        ProportionDifference(from: other, to: self).zScore ?? 0
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

    /// `98.6 %`; `nothing` if the denominator is 0.
    var percentWords: String { value.map { "\(Words.percent($0)) %" } ?? "nothing" }

    /// The share with its 95 % interval: `12.3 % (10.1 to 14.8)`.
    var percentWithInterval: String {
        guard let interval else { return percentWords }
        return
            "\(percentWords) (\(Words.percent(interval.lowerBound)) to \(Words.percent(interval.upperBound)))"
    }
}

extension Sequence<Proportion> {
    var sum: Proportion { reduce(.nothing, +) }
}
