public import DeliveryModel

/// The click-through rate of one variant of a campaign compared with that of the control.
public struct VariantComparison: Hashable, Sendable {
    /// `nil` means without a variant.
    public let control: String?
    public let variant: String?
    /// The difference from the control to the variant.
    public let difference: ProportionDifference
    /// The p-value, corrected by Holm's method for the number of variants; `nil` if there is an ``obstacle``.
    public internal(set) var correctedP: Double?
    /// The caveat of one of the two rates (``Rate/caveat(in:)``); `nil` if neither has any.
    public var caveat: String?

    /// The reason why the comparison says nothing.
    public enum Obstacle: Hashable, Sendable {
        /// One of the two has no confirmed notification.
        case nothingConfirmed
        /// One of the two rates has a caveat: it is not the share of people who clicked.
        case doubtful(String)
        /// At equal rates, fewer than 5 clicks, or notifications without one, would be expected: this many.
        case fewExpected(Double)
    }

    /// The test's rule of thumb: at least 5 expected of each kind.
    public static let fewestExpected = 5.0

    public var obstacle: Obstacle? {
        guard let expected = difference.smallestExpectedCount else { return .nothingConfirmed }
        if let caveat { return .doubtful(caveat) }
        return expected < Self.fewestExpected ? .fewExpected(expected) : nil
    }

    /// Compares each variant with the control, in the order of the rows. The control is the variant
    /// named `control` or `a` in any case, or else the largest one.
    ///
    /// - Parameter counts: by variant; a variant may occur several times, such as once per day.
    static func all(_ counts: [(variant: String?, counts: MeasureCounts)]) -> [VariantComparison] {
        var variants: [String?] = []
        var sums: [String?: MeasureCounts] = [:]
        for row in counts {
            if sums[row.variant] == nil { variants.append(row.variant) }
            sums[row.variant, default: MeasureCounts()] += row.counts
        }
        guard variants.count > 1, let control = Self.control(of: variants, sums) else { return [] }
        let rate = Rate.clickThrough
        var comparisons = variants.filter { $0 != control }.map { variant in
            let both = [control, variant].map { sums[$0] ?? MeasureCounts() }
            return VariantComparison(
                control: control, variant: variant,
                difference: ProportionDifference(
                    from: rate.proportion(in: both[0]), to: rate.proportion(in: both[1])),
                caveat: both.compactMap(rate.caveat).first)
        }
        let judged = comparisons.indices.filter { comparisons[$0].obstacle == nil }
        let corrected = HolmCorrection.corrected(judged.map { comparisons[$0].difference.pValue ?? 1 })
        for (position, p) in zip(judged, corrected) { comparisons[position].correctedP = p }
        return comparisons
    }

    private static func control(of variants: [String?], _ sums: [String?: MeasureCounts]) -> String?? {
        for name in ["control", "a"] {
            if let found = variants.first(where: { $0?.lowercased() == name }) { return found }
        }
        return variants.max { sums[$0]?[.attempted] ?? 0 < sums[$1]?[.attempted] ?? 0 }
    }
}

extension VariantComparison.Obstacle: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nothingConfirmed: "not enough data: one of them has no confirmed notification"
        case .doubtful(let caveat): "no comparison: in one of them, \(caveat)"
        case .fewExpected:
            "not enough data: fewer than 5 are expected with a click, or without one, in one of them"
        }
    }
}

extension VariantComparison {
    /// Does not say which one won: people decide that, because they know what a mistake costs.
    var json: JSONValue {
        let hasEnough = obstacle == nil
        return [
            "rate": .string(Rate.clickThrough.id),
            "control": .optional(control),
            "variant": .optional(variant),
            "control_rate": difference.first.json,
            "variant_rate": difference.second.json,
            "lift": .optional(difference.lift),
            "difference": [
                "value": .optional(difference.value),
                "low": .optional(difference.interval?.lowerBound),
                "high": .optional(difference.interval?.upperBound),
            ],
            "z": .optional(hasEnough ? difference.zScore : nil),
            "p": .optional(hasEnough ? difference.pValue : nil),
            "p_holm": .optional(correctedP),
            "reason": .optional(obstacle?.description),
        ]
    }
}
