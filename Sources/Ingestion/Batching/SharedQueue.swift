internal import Synchronization

/// What the queues of several cells hold together. Each cell has its share of the limit, by the rule for
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

    /// The limit of a queue that holds this much.
    func limit(ofQueueHolding own: BatchSize) -> BatchSize {
        let (items, bytes) = (items.load(ordering: .relaxed), bytes.load(ordering: .relaxed))
        return BatchSize(
            items: Flow.limit(inCell: limit.items, besides: items - own.items),
            bytes: Flow.limit(inCell: limit.bytes, besides: bytes - own.bytes))
    }
}
