internal import Foundation

/// Estimates a total from two independent sightings of parts of it: the number seen first, the number seen
/// second, and the number seen both times.
///
/// Of the notifications that a device received, the extension reports some and people react to some. If the
/// loss of a report does not depend on a reaction, the share of the reacted-to notifications that were
/// reported equals the share of all that were reported, and those that neither saw can be estimated.
public struct CaptureRecapture: Hashable, Sendable {
    public let first: Int64
    public let second: Int64
    public let recaptured: Int64

    /// Returns `nil` for numbers that contradict each other.
    public init?(first: Int64, second: Int64, recaptured: Int64) {
        guard recaptured >= 0, recaptured <= min(first, second) else { return nil }
        (self.first, self.second, self.recaptured) = (first, second, recaptured)
    }

    public var seen: Int64 { first + second - recaptured }

    private var firstOnly: Double { Double(first - recaptured) }
    private var secondOnly: Double { Double(second - recaptured) }

    /// Chapman's estimate, (first + 1)(second + 1)/(recaptured + 1) − 1. It is nearly unbiased, whereas the
    /// plain first · second / recaptured is too high, and undefined if nothing was recaptured. Never less
    /// than the number seen. (Chapman 1951.)
    public var estimate: Double { Double(seen) + firstOnly * secondOnly / Double(recaptured + 1) }

    /// The 95 % interval on the scale of the log odds, of whole numbers, and never below the number seen.
    /// (Sadinle 2009, "Transformed logit confidence intervals for small populations in single
    /// capture-recapture estimation".)
    ///
    /// The textbook interval, estimate ± 1.96 standard errors, is symmetric around a number whose
    /// distribution is not, and reaches below the number seen.
    public var interval: ClosedRange<Double> {
        let both = Double(recaptured) + 0.5
        let (one, other) = (firstOnly + 0.5, secondOnly + 0.5)
        let spread = (1 / both + 1 / one + 1 / other + both / (one * other)).squareRoot()
        let unseen = one * other / both
        let factor = exp(Normal.twoSided95 * spread)
        let seen = Double(seen)
        let low = (seen - 0.5 + unseen / factor).rounded(.down)
        let high = (seen - 0.5 + unseen * factor).rounded(.up)
        return min(max(seen, low), estimate)...max(high, estimate)
    }
}
