internal import Access
internal import Instants
internal import Synchronization

/// A token bucket for each caller. The number of buckets is bounded: the least recently used one is dropped, which has the effect
/// of filling it.
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
