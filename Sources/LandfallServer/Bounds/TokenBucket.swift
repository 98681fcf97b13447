internal import Instants

/// The remainder of a rate limit: each request takes a token, and tokens are refilled one by one.
///
/// A single instant is its whole state: when the bucket will be full again.
struct TokenBucket {
    private(set) var fullAt: ContinuousClock.Instant

    /// A full bucket.
    init(at now: ContinuousClock.Instant) {
        fullAt = now
    }

    /// The outcome of one request.
    struct Allowance: Equatable {
        let isGranted: Bool
        /// The number of whole tokens left.
        let remaining: Int
        /// The time until the bucket is full again or, if no token was granted, until there is one.
        let wait: Duration
    }

    /// Whether no token is missing.
    func isFull(at now: ContinuousClock.Instant) -> Bool { fullAt <= now }

    mutating func take(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Allowance {
        let interval = limit.interval
        let afterward = max(fullAt, now) + interval
        let missing = now.duration(to: afterward)
        guard missing <= limit.window else {
            return Allowance(isGranted: false, remaining: 0, wait: missing - limit.window)
        }
        fullAt = afterward
        // The quotient of whole numbers can be slightly too small.
        let remaining = Int((limit.window - missing) / interval + 0.000_001)
        return Allowance(isGranted: true, remaining: remaining, wait: missing)
    }

    /// The outcome that a request would have now, without taking a token.
    func allowance(_ limit: RateLimit, at now: ContinuousClock.Instant) -> Allowance {
        var bucket = self
        return bucket.take(limit, at: now)
    }

    /// Takes tokens whether or not there are any: what is missing then is a debt, which is refilled first.
    mutating func pay(_ count: Int, _ limit: RateLimit, at now: ContinuousClock.Instant) {
        fullAt = max(fullAt, now) + limit.interval * count
    }

    mutating func giveBack(_ limit: RateLimit) {
        fullAt -= limit.interval
    }
}
