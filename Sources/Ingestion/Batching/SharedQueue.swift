internal import Synchronization

/// The total of what the queues of several cells hold. Each cell has its share of the limit, by the rule for
/// flows, and its flows divide that: a cell whose database stalls cannot fill the queue.
public final class SharedQueue: Sendable {
    private let limit: BatchSize
    private let items = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)

    public init(limit: BatchSize) { self.limit = limit }

    func add(_ size: BatchSize) {
        items.add(size.items, ordering: .relaxed)
        bytes.add(size.bytes, ordering: .relaxed)
    }

    /// The limit of the queue of a cell, which holds `own` now.
    func room(forQueueOf own: BatchSize) -> BatchSize {
        BatchSize(
            items: Flow.limit(inCell: limit.items, besides: items.load(ordering: .relaxed) - own.items),
            bytes: Flow.limit(inCell: limit.bytes, besides: bytes.load(ordering: .relaxed) - own.bytes))
    }
}
