/// How a server's clock differs from PostgreSQL's.
public struct ClockDifference: Hashable, Codable, Sendable {
    /// Smaller differences are usual, and harm no number.
    public static let tolerance = Span.minutes(1)

    /// Positive if the server's clock is ahead.
    public let seconds: Int64

    /// - Parameters:
    ///   - asked: the server's clock before PostgreSQL was asked.
    ///   - answered: the server's clock when it had responded.
    ///   - clock: PostgreSQL's.
    /// - Returns: `nil` unless the two surely differ by more than the tolerance.
    public init?(asked: Instant, answered: Instant, clock: Instant) {
        // The response was made somewhere between the two.
        let ahead = max((asked - clock).milliseconds, 0)
        let late = max((clock - answered).milliseconds, 0)
        let difference = ahead > 0 ? ahead : -late
        guard abs(difference) > Self.tolerance.milliseconds else { return nil }
        seconds = difference / 1_000
    }

    /// What the server's clock would show if it agreed with PostgreSQL's.
    public func corrected(_ now: Instant) -> Instant { now - .seconds(seconds) }
}
