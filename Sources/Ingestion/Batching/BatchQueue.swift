/// The arithmetic of group commit: what may queue, and what goes next. A value, so that it can be tested without a database.
///
/// A request is its items and whoever wants to know their verdicts.
struct BatchQueue<Caller: Sendable>: Sendable {
    /// What one transaction writes.
    struct Batch: Sendable {
        fileprivate let requests: [Request]

        /// All items, request by request.
        var items: [BatchItem] {
            guard requests.count != 1 else { return requests[0].items }
            return requests.flatMap(\.items)
        }

        var callers: [Caller] { requests.map(\.caller) }

        /// Cuts the batch's verdicts into the requests' parts.
        func shares(of verdicts: [Verdict]) -> [(caller: Caller, verdicts: [Verdict])] {
            var rest = verdicts[...]
            return requests.map { request in
                defer { rest = rest.dropFirst(request.items.count) }
                return (request.caller, Array(rest.prefix(request.items.count)))
            }
        }
    }

    fileprivate struct Request: Sendable {
        let items: [BatchItem]
        let size: BatchSize
        let caller: Caller
    }

    private let limits: BatchLimits
    private var requests: [Request] = []
    /// What waits.
    private(set) var size = BatchSize()

    init(limits: BatchLimits) {
        self.limits = limits
    }

    /// As much waits as may. Before that a request of any size is taken, so that large ones have the same chance as small ones, and
    /// whoever finds room and reads a request will hardly have read it in vain.
    var isFull: Bool { size.items >= limits.queued.items || size.bytes >= limits.queued.bytes }

    /// False when the queue is full.
    mutating func append(_ items: [BatchItem], for caller: Caller) -> Bool {
        guard !isFull else { return false }
        let request = Request(items: items, size: BatchSize(of: items), caller: caller)
        requests.append(request)
        size = size + request.size
        return true
    }

    /// The items of the request that waits longest, and as many of the others' as fit, in the order in which they came. Nil
    /// when nobody waits.
    mutating func takeBatch() -> Batch? {
        guard let first = requests.first else { return nil }
        var total = first.size
        let others = requests.dropFirst().prefix { request in
            let grown = total + request.size
            guard grown.fits(limits.batch) else { return false }
            total = grown
            return true
        }
        let taken = [first] + others
        requests.removeFirst(taken.count)
        size = size - total
        return Batch(requests: taken)
    }
}

public struct BatchLimits: Sendable {
    /// When so much waits, the service is overloaded: some half a second's work for two cores. The last request that is taken may
    /// go beyond it.
    public var queued: BatchSize
    /// What one transaction writes, unless a single request holds more.
    public var batch: BatchSize
    /// So many items wait when another writer is worth its transaction.
    public var furtherWriter: Int

    public init(
        queued: BatchSize = BatchSize(items: 30_000, bytes: 24 << 20),
        batch: BatchSize = BatchSize(items: 10_000, bytes: 16 << 20),
        furtherWriter: Int = 24
    ) {
        self.queued = queued
        self.batch = batch
        self.furtherWriter = furtherWriter
    }
}

/// How much something is, in items and in bytes as they were posted.
public struct BatchSize: Hashable, Sendable {
    public var items: Int
    public var bytes: Int

    public init(items: Int = 0, bytes: Int = 0) {
        self.items = items
        self.bytes = bytes
    }

    init(of items: [BatchItem]) {
        self.init(items: items.count, bytes: items.reduce(0) { $0 + $1.text.count })
    }

    func fits(_ limit: BatchSize) -> Bool { items <= limit.items && bytes <= limit.bytes }

    static func + (left: BatchSize, right: BatchSize) -> BatchSize {
        BatchSize(items: left.items + right.items, bytes: left.bytes + right.bytes)
    }

    static func - (left: BatchSize, right: BatchSize) -> BatchSize {
        BatchSize(items: left.items - right.items, bytes: left.bytes - right.bytes)
    }
}
