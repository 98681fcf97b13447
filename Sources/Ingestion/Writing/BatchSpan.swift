/// The number of items that one transaction may have, after a larger batch took too long.
///
/// It is remembered between batches: a database too slow for large ones usually remains so for a while, and
/// each attempt would cost its callers the whole timeout. It grows again once there is time to spare.
struct BatchSpan: Equatable {
    private(set) var limit = Int.max
    /// The duration of the last batch that took too long.
    private var tooLong = Duration.zero

    mutating func tookTooLong(_ items: Int, after elapsed: Duration) {
        limit = max(1, min(limit, items / 2))
        tooLong = elapsed
    }

    /// Doubles the span if a batch of twice the items would be in time even if four times as slow.
    mutating func wrote(_ items: Int, in elapsed: Duration) {
        if items >= limit, elapsed * 8 < tooLong { limit *= 2 }
    }
}
