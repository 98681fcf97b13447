/// The arithmetic of group commit: what may queue, and what goes next. A value, so that it can be tested without a database.
public struct BatchQueue: Sendable {
    public struct Limits: Sendable {
        /// What may wait; beyond it the service is overloaded.
        public var queued: BatchSize
        /// What one transaction writes, unless a single request holds more.
        public var batch: BatchSize
        /// So many items wait when another writer is worth its transaction.
        public var furtherWriter: Int

        public init(
            queued: BatchSize = BatchSize(items: 100_000, bytes: 64 << 20),
            batch: BatchSize = BatchSize(items: 10_000, bytes: 16 << 20),
            furtherWriter: Int = 500
        ) {
            self.queued = queued
            self.batch = batch
            self.furtherWriter = furtherWriter
        }
    }

    /// Names one request's items.
    public struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// What one transaction writes.
    public struct Batch: Sendable {
        private let requests: [(ticket: Ticket, items: [BatchItem])]

        fileprivate init(_ requests: [(ticket: Ticket, items: [BatchItem])]) {
            self.requests = requests
        }

        public var tickets: [Ticket] { requests.map(\.ticket) }

        /// All items, request by request.
        public var items: [BatchItem] {
            guard requests.count != 1 else { return requests[0].items }
            return requests.flatMap(\.items)
        }

        /// Cuts the batch's verdicts into the requests' parts.
        public func shares(of verdicts: [Verdict]) -> [Ticket: [Verdict]] {
            var shares: [Ticket: [Verdict]] = [:]
            var rest = verdicts[...]
            for request in requests {
                shares[request.ticket] = Array(rest.prefix(request.items.count))
                rest = rest.dropFirst(request.items.count)
            }
            return shares
        }
    }

    private let limits: Limits
    private var requests: [(ticket: Ticket, items: [BatchItem])] = []
    private var nextNumber = 0
    /// What waits.
    public private(set) var size = BatchSize()

    public init(limits: Limits) {
        self.limits = limits
    }

    /// The request that waits longest.
    public var first: Ticket? { requests.first?.ticket }

    /// Nil when the queue is full. An empty queue takes a request of any size.
    public mutating func append(_ items: [BatchItem]) -> Ticket? {
        let added = BatchSize(of: items)
        guard requests.isEmpty || (size + added).fits(limits.queued) else { return nil }
        let ticket = Ticket(number: nextNumber)
        nextNumber += 1
        requests.append((ticket, items))
        size = size + added
        return ticket
    }

    /// The leading request's items, and as many of the others' as fit, in the order in which they came.
    public mutating func takeBatch(leading ticket: Ticket) -> Batch {
        guard let position = requests.firstIndex(where: { $0.ticket == ticket }) else { return Batch([]) }
        var taken = [requests.remove(at: position)]
        var total = BatchSize(of: taken[0].items)
        let fitting = requests.prefix { request in
            let grown = total + BatchSize(of: request.items)
            guard grown.fits(limits.batch) else { return false }
            total = grown
            return true
        }
        taken += fitting
        requests.removeFirst(fitting.count)
        size = size - total
        return Batch(taken)
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
