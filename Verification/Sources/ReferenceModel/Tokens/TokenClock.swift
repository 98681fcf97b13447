internal import Basics

/// The instants of the steps of some histories, which share them so that their posts can share batches.
struct TokenClock: Hashable, Sendable {
    static let tickCount = 26
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour
    /// 1 March 2026, 00:00 UTC.
    private static let start: Int64 = 1_772_323_200_000

    let number: UInt64
    /// Ascending; milliseconds since 1970.
    let instants: [Int64]

    init(number: UInt64) {
        self.number = number
        var random = SeededRandom(seed: ~number)
        var instants = [Self.start + Int64(random.below(Int(Self.day)))]
        while instants.count < Self.tickCount {
            let gap = random.pick(
                20_000, Self.minute, 3 * Self.minute, 9 * Self.minute, 10 * Self.minute, 11 * Self.minute,
                Self.hour, Self.hour, 5 * Self.hour, 20 * Self.hour, Self.day, 25 * Self.hour, 3 * Self.day,
                11 * Self.day, 31 * Self.day, 61 * Self.day)
            let odd = random.chance(percent: 50) ? Int64(random.below(Int(Self.minute))) : 0
            instants.append((instants.last ?? Self.start) + gap + odd)
        }
        self.instants = instants
    }

    /// `+3d 04:00:10.250` since the first instant.
    func text(_ instant: Int64?) -> String {
        guard let instant else { return "–" }
        let elapsed = instant - (instants.first ?? 0)
        let rest = abs(elapsed)
        func padded(_ number: Int64, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let clock = [rest / Self.hour % 24, rest / Self.minute % 60, rest / 1_000 % 60].map { padded($0, 2) }
        let sign = elapsed < 0 ? "-" : "+"
        return "\(sign)\(rest / Self.day)d \(clock.joined(separator: ":")).\(padded(rest % 1_000, 3))"
    }
}
