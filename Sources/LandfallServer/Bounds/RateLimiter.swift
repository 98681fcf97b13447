internal import Access
internal import HTTPTypes
internal import Instants
internal import Synchronization

/// A token bucket for each caller. The number of buckets is bounded: the least recently used one is dropped, which has the effect
/// of filling it.
final class RateLimiter<Caller: Hashable & Sendable>: Sendable {
    private let limit: RateLimit
    private let name: String
    private let buckets: Mutex<RecentlyUsed<Caller, TokenBucket>>

    /// - Parameters:
    ///   - name: the policy's name in header fields: letters, digits and hyphens.
    ///   - capacity: the number of buckets kept, about 100 bytes each.
    init(_ limit: RateLimit, name: String, capacity: Int = 100_000) {
        self.limit = limit
        self.name = name
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

    /// `RateLimit-Policy: "device-key";q=100;w=5` and `RateLimit: "device-key";r=99;t=1`, as in
    /// draft-ietf-httpapi-ratelimit-headers-10: quota and window in seconds, what remains of the quota, and the seconds until it
    /// is whole again (for a rejected request, until the next one will pass).
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
