internal import Foundation

/// How many there are, from two independent sightings of some of them: those seen first, those seen second, and those
/// seen both times.
///
/// Of the notifications a device had, the extension reports some and people react to some. If a report is lost
/// whether or not somebody reacts, then the share of the reacted-to that was reported is the share of all that
/// was reported, and those that nobody saw can be counted.
public struct CaptureRecapture: Hashable, Sendable {
    public let first: Int64
    public let second: Int64
    /// Seen both times.
    public let recaptured: Int64

    /// Nil for numbers that contradict each other.
    public init?(first: Int64, second: Int64, recaptured: Int64) {
        guard recaptured >= 0, recaptured <= min(first, second) else { return nil }
        self.first = first
        self.second = second
        self.recaptured = recaptured
    }

    /// Seen at all.
    public var seen: Int64 { first + second - recaptured }

    private var firstOnly: Double { Double(first - recaptured) }
    private var secondOnly: Double { Double(second - recaptured) }

    /// Chapman's estimate, (first + 1)(second + 1)/(recaptured + 1) − 1: nearly without bias, where the plain
    /// first · second / recaptured is too high and without recaptures no number at all. Never less than were seen.
    /// (Chapman 1951.)
    public var estimate: Double {
        Double(seen) + firstOnly * secondOnly / Double(recaptured + 1)
    }

    /// The 95 % interval on the scale of the log odds, of whole numbers, and never below what was seen. (Sadinle
    /// 2009, "Transformed logit confidence intervals for small populations in single capture-recapture estimation".)
    ///
    /// The textbook interval, estimate ± 1.96 standard errors, is symmetric around a number whose
    /// distribution is not, and reaches below what was seen.
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
