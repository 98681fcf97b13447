internal import Access
internal import Basics
internal import HTTPTypes
internal import Synchronization

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

/// A rate limit as responses show it.
struct RatePolicy: Sendable {
    /// Letters, digits and hyphens.
    let name: String
    let limit: RateLimit

    /// `RateLimit-Policy: "device-key";q=100;w=5` and `RateLimit: "device-key";r=99;t=1`, as in
    /// draft-ietf-httpapi-ratelimit-headers-10: quota and window in seconds, what remains of the quota, and
    /// the seconds until it is whole again (for a rejected request, until the next one will pass).
    func fields(_ allowance: TokenBucket.Allowance) -> HTTPFields {
        var fields = HTTPFields()
        if let policy = HTTPField.Name("RateLimit-Policy"), let state = HTTPField.Name("RateLimit") {
            fields[policy] = "\"\(name)\";q=\(limit.burst);w=\(limit.window.wholeSeconds)"
            fields[state] = "\"\(name)\";r=\(allowance.remaining);t=\(allowance.wait.wholeSeconds)"
        }
        return fields
    }

    /// The response to a caller that was not granted a token.
    func problem(_ allowance: TokenBucket.Allowance, _ detail: String) -> Problem {
        var headers = fields(allowance)
        headers[.retryAfter] = String(allowance.wait.wholeSeconds)
        return Problem(.tooManyRequests, "rate_limited", detail, headers: headers)
    }
}

extension Duration {
    /// Whole seconds, rounded up.
    fileprivate var wholeSeconds: Int64 {
        components.seconds + (components.attoseconds > 0 ? 1 : 0)
    }
}

/// A token bucket for each caller. The number of buckets is bounded: the least recently used one is dropped,
/// which has the effect of filling it.
final class RateLimiter<Caller: Hashable & Sendable>: Sendable {
    let policy: RatePolicy
    private var limit: RateLimit { policy.limit }
    private let buckets: Mutex<RecentlyUsed<Caller, TokenBucket>>

    /// - Parameters:
    ///   - name: the policy's name in header fields: letters, digits and hyphens.
    ///   - capacity: the number of buckets kept, about 100 bytes each.
    init(_ limit: RateLimit, name: String, capacity: Int = 100_000) {
        policy = RatePolicy(name: name, limit: limit)
        buckets = Mutex(RecentlyUsed(capacity: capacity))
    }

    var count: Int { buckets.withLock { $0.count } }

    func take(_ caller: Caller, at now: ContinuousClock.Instant) -> TokenBucket.Allowance {
        buckets.withLock { buckets in
            var bucket = buckets[caller] ?? TokenBucket(at: now)
            defer { buckets[caller] = bucket }
            return bucket.take(limit, at: now)
        }
    }

    func giveBack(_ caller: Caller) {
        buckets.withLock { buckets in
            guard var bucket = buckets[caller] else { return }
            bucket.giveBack(limit)
            buckets[caller] = bucket
        }
    }
}
