/// Lets only so many tokens of one environment and topic retire within ten minutes because of answers.
struct ReferenceBreaker {
    struct Place: Hashable, Comparable {
        let environment: String
        let topic: String

        static func < (left: Place, right: Place) -> Bool {
            (left.environment, left.topic) < (right.environment, right.topic)
        }
    }

    /// What was counted, by the minute since 1970.
    private var attempted: [Int64: Int64] = [:]
    private var retired: [Int64: Int64] = [:]
    private(set) var isOpen = false

    private static let minutes: Int64 = 10

    private static func minute(_ instant: Int64) -> Int64 { instant / TokenReference.minute }

    mutating func attempt(_ count: Int, at now: Int64) {
        attempted[Self.minute(now), default: 0] += Int64(count)
    }

    /// Whether one more may retire, which is counted.
    mutating func mayRetire(_ settings: TokenSettings, at now: Int64) -> Bool {
        let window = (Self.minute(now) - Self.minutes + 1)...Self.minute(now)
        func sum(_ counts: [Int64: Int64]) -> Int64 {
            counts.filter { window.contains($0.key) }.values.reduce(0, +)
        }
        let share = Int64(settings.breakerShare * Double(sum(attempted)))
        if sum(retired) >= max(settings.breakerMinimum, share) { isOpen = true }
        if !isOpen { retired[Self.minute(now), default: 0] += 1 }
        return !isOpen
    }

    /// Somebody decided: it counts anew.
    mutating func close() {
        isOpen = false
        attempted = [:]
        retired = [:]
    }
}
