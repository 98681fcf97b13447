/// The arithmetic of group commit: which requests may queue, and which are written next. A value, so that it can be tested
/// without a database.
///
/// A request is its items and the caller that waits for their verdicts.
struct BatchQueue<Caller: Sendable>: Sendable {
    /// The requests that one transaction writes.
    struct Batch: Sendable {
        fileprivate let requests: [Request]

        /// All items, request by request.
        var items: [BatchItem] {
            guard requests.count != 1 else { return requests[0].items }
            return requests.flatMap(\.items)
        }

        var callers: [Caller] { requests.map(\.caller) }

        /// Splits the batch's verdicts by request.
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
    /// The size of all queued requests.
    private(set) var size = BatchSize()

    init(limits: BatchLimits) {
        self.limits = limits
    }

    /// Whether the queue has reached its limit. Below the limit a request of any size is accepted, so that large requests have
    /// the same chance as small ones, and a caller that finds room and reads a request has seldom read it in vain.
    var isFull: Bool { size.items >= limits.queued.items || size.bytes >= limits.queued.bytes }

    /// Returns false if the queue is full.
    mutating func append(_ items: [BatchItem], for caller: Caller) -> Bool {
        guard !isFull else { return false }
        let request = Request(items: items, size: BatchSize(of: items), caller: caller)
        requests.append(request)
        size = size + request.size
        return true
    }

    /// The longest waiting request and the following requests that fit into the batch, in order of arrival; `nil` if none waits.
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
    /// The size at which the queue is full: about half a second's work for two cores. The last request accepted may exceed it.
    public var queued: BatchSize
    /// The most that one transaction writes, unless a single request is larger.
    public var batch: BatchSize
    /// The number of queued items that justifies another writer's transaction.
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

/// A size in items, and in bytes as posted.
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
