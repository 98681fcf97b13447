/// When a request that was not taken is sent again: after pauses that grow, are never quite the same, and
/// end.
struct Repetition {
    private let end: ContinuousClock.Instant
    private var attempts = 0

    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)

    /// - Parameter patience: how long after `now` a request is still sent.
    init(patience: Duration, now: ContinuousClock.Instant) {
        end = now + patience
    }

    /// How long to wait before the next attempt; nil when that would be later than patience reaches.
    ///
    /// Half of every pause is random, so that many clients do not come back all at once.
    ///
    /// - Parameters:
    ///   - retryAfter: what the server asked for; no pause is shorter.
    ///   - chance: from 0 to 1.
    mutating func pause(retryAfter: Duration?, now: ContinuousClock.Instant, chance: Double) -> Duration? {
        let ceiling = min(Self.longest, Self.shortest * (1 << min(attempts, 10)))
        attempts += 1
        let pause = (retryAfter ?? ceiling / 2) + ceiling / 2 * chance
        return now + pause <= end ? pause : nil
    }
}
