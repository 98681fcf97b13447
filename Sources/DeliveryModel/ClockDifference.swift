/// The difference between a server's clock and PostgreSQL's.
public struct ClockDifference: Hashable, Codable, Sendable {
    /// Smaller differences are usual and affect no number.
    public static let tolerance = Span.minutes(1)

    /// Positive if the server's clock is ahead.
    public let seconds: Int64

    /// `nil` unless the server's clock, before the query and after the response, and PostgreSQL's `clock`
    /// certainly differ by more than the tolerance.
    public init?(asked: Instant, responded: Instant, clock: Instant) {
        // PostgreSQL read its clock at some time between the two.
        let ahead = max((asked - clock).milliseconds, 0)
        let late = max((clock - responded).milliseconds, 0)
        let difference = ahead > 0 ? ahead : -late
        guard abs(difference) > Self.tolerance.milliseconds else { return nil }
        seconds = difference / 1_000
    }

    /// The server's time, corrected to PostgreSQL's clock.
    public func corrected(_ now: Instant) -> Instant { now - .seconds(seconds) }
}
