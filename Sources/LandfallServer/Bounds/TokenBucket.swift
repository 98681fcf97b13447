/// What is left of a rate limit: tokens come back one by one, and each request takes one.
///
/// One instant says it all: when the bucket will be full again.
struct TokenBucket {
    private var fullAt: ContinuousClock.Instant

    /// A full one.
    init(at now: ContinuousClock.Instant) {
        fullAt = now
    }

    /// What became of one request.
    struct Allowance: Equatable {
        let isGranted: Bool
        /// Whole tokens left.
        let remaining: Int
        /// Until the bucket is full again, or, when nothing was granted, until there is a token.
        let wait: Duration
    }

    mutating func take(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Allowance {
        let interval = limit.interval
        let afterwards = max(fullAt, now) + interval
        let missing = now.duration(to: afterwards)
        guard missing <= limit.window else {
            return Allowance(isGranted: false, remaining: 0, wait: missing - limit.window)
        }
        fullAt = afterwards
        // The quotient of whole numbers may lie a hair below one.
        let remaining = Int((limit.window - missing) / interval + 0.000_001)
        return Allowance(isGranted: true, remaining: remaining, wait: missing)
    }

    /// Puts back a token that was taken.
    mutating func giveBack(_ limit: RateLimit) {
        fullAt -= limit.interval
    }
}
