internal import DeliveryModel

/// Rejections with no hour without any between them.
struct RateLimitEpisode {
    private(set) var counts = RateLimitedRequests()
    /// Whether there are rejections that are not recorded.
    var isChanged = false
    private var latest = ContinuousClock.now

    mutating func add(_ new: RateLimitedRequests, at now: ContinuousClock.Instant) {
        guard new.total > 0 else { return }
        if latest.duration(to: now) > .seconds(3_600) { counts = RateLimitedRequests() }
        latest = now
        counts = counts + new
        isChanged = true
    }
}
