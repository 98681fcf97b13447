internal import DeliveryModel

/// Counts of an event since the last hour without one.
struct Episode<Counts: EpisodeCounts> {
    private(set) var counts = Counts()
    /// Whether some counts are not recorded yet.
    var isChanged = false
    private var latest = ContinuousClock.now

    mutating func add(_ new: Counts, at now: ContinuousClock.Instant) {
        guard new.total > 0 else { return }
        if latest.duration(to: now) > .seconds(3_600) { counts = Counts() }
        latest = now
        counts = counts + new
        isChanged = true
    }
}

protocol EpisodeCounts: Sendable {
    init()
    var total: Int { get }
    static func + (left: Self, right: Self) -> Self
}

extension RateLimitedRequests: EpisodeCounts {}
extension SlowStatementCounts: EpisodeCounts {}
