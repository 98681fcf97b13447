/// Opens when responses take too many tokens of one environment and topic out of use within ten minutes.
struct ReferenceBreaker {
    struct Place: Hashable, Comparable {
        let environment: String
        let topic: String

        static func < (left: Place, right: Place) -> Bool {
            (left.environment, left.topic) < (right.environment, right.topic)
        }
    }

    /// Both counts, by minute since 1970.
    private var attempted: [Int64: Int64] = [:]
    private var lost: [Int64: Int64] = [:]
    private(set) var isOpen = false

    private static let minutes: Int64 = 10

    private static func minute(_ instant: Int64) -> Int64 { instant / TokenReference.minute }

    /// Counts a recent push to a token that was accepted before.
    mutating func attempt(at now: Int64) { attempted[Self.minute(now), default: 0] += 1 }

    /// Counts such a token that is taken out of use, and opens the breaker if there are too many.
    ///
    /// - Parameter usual: the share of the app's pushes that took a token out of use in the month before.
    mutating func lose(_ settings: TokenSettings, usual: Double, at now: Int64) {
        lost[Self.minute(now), default: 0] += 1
        let window = (Self.minute(now) - Self.minutes + 1)...Self.minute(now)
        func sum(_ counts: [Int64: Int64]) -> Double {
            Double(counts.filter { window.contains($0.key) }.values.reduce(0, +))
        }
        let (count, total) = (sum(lost), sum(attempted))
        guard count >= Double(settings.breakerMinimum) else { return }
        let unusual = usual > 1.0 / 6 ? 0.5 : 3 * usual
        if Self.surely(count, of: total) > max(settings.breakerShare, unusual) { isOpen = true }
    }

    /// The lower end of Wilson's interval: the smaller root of (p - x)² = z² x (1 - x) / n.
    private static func surely(_ count: Double, of total: Double) -> Double {
        guard total > 0 else { return 0 }
        let (z, p) = (1.959963984540054, min(1, count / total))
        let (a, b, c) = (1 + z * z / total, 2 * p + z * z / total, p * p)
        return (b - (b * b - 4 * a * c).squareRoot()) / (2 * a)
    }

    /// Closes the breaker after an operator's decision; counting starts again.
    mutating func close() {
        isOpen = false
        attempted = [:]
        lost = [:]
    }
}
