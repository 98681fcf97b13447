internal import Instants

/// The schedule for repeating a request that was not accepted: after growing, randomized pauses, up to a limit.
struct Repetition {
    private let end: ContinuousClock.Instant
    private var attempts = 0

    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)

    /// - Parameter patience: how long after `now` a request may still be sent.
    init(patience: Duration, now: ContinuousClock.Instant) {
        end = now + patience
    }

    /// Returns how long to wait before the next attempt; `nil` if that would exceed the patience.
    ///
    /// Part of every pause is random, so that many clients do not come back at once.
    ///
    /// - Parameters:
    ///   - retryAfter: the pause that the server asked for; no pause is shorter.
    ///   - chance: from 0 to 1.
    mutating func pause(retryAfter: Duration?, now: ContinuousClock.Instant, chance: Double) -> Duration? {
        let ceiling = min(Self.longest, Self.shortest * (1 << min(attempts, 10)))
        attempts += 1
        let pause = (retryAfter ?? ceiling / 2) + ceiling / 2 * chance
        return now + pause <= end ? pause : nil
    }
}
