/// The arithmetic of group commit: what may queue, and what goes next. A value, so that it can be tested without a database.
public struct BatchQueue: Sendable {
    public struct Limits: Sendable {
        /// Items that may wait; beyond it the service is overloaded.
        public var queuedItems: Int
        /// Items that one transaction writes, unless a single request holds more.
        public var batchItems: Int

        public init(queuedItems: Int = 100_000, batchItems: Int = 10_000) {
            self.queuedItems = queuedItems
            self.batchItems = batchItems
        }
    }

    /// Names one request's items.
    public struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// What one transaction writes.
    public struct Batch: Sendable {
        public let tickets: [Ticket]
        public let items: [BatchItem]
        private let ranges: [Ticket: Range<Int>]

        fileprivate init(_ requests: [(ticket: Ticket, items: [BatchItem])]) {
            var items: [BatchItem] = []
            var ranges: [Ticket: Range<Int>] = [:]
            for request in requests {
                ranges[request.ticket] = items.count..<items.count + request.items.count
                items += request.items
            }
            self.tickets = requests.map(\.ticket)
            self.items = items
            self.ranges = ranges
        }

        /// One request's part of the batch's verdicts.
        public func share(of ticket: Ticket, _ verdicts: [Verdict]) -> [Verdict] {
            guard let range = ranges[ticket], range.upperBound <= verdicts.count else { return [] }
            return Array(verdicts[range])
        }
    }

    private let limits: Limits
    private var requests: [(ticket: Ticket, items: [BatchItem])] = []
    private var nextNumber = 0
    public private(set) var itemCount = 0

    public init(limits: Limits) {
        self.limits = limits
    }

    /// The request that waits longest.
    public var first: Ticket? { requests.first?.ticket }

    /// Nil when the queue is full. An empty queue takes a request of any size.
    public mutating func append(_ items: [BatchItem]) -> Ticket? {
        guard requests.isEmpty || itemCount + items.count <= limits.queuedItems else { return nil }
        let ticket = Ticket(number: nextNumber)
        nextNumber += 1
        requests.append((ticket, items))
        itemCount += items.count
        return ticket
    }

    /// The leading request's items, and as many of the others' as fit, in the order in which they came.
    public mutating func takeBatch(leading ticket: Ticket) -> Batch {
        guard let position = requests.firstIndex(where: { $0.ticket == ticket }) else { return Batch([]) }
        var taken = [requests.remove(at: position)]
        var count = taken[0].items.count
        let fitting = requests.prefix { request in
            count += request.items.count
            return count <= limits.batchItems
        }
        taken += fitting
        requests.removeFirst(fitting.count)
        itemCount -= taken.reduce(0) { $0 + $1.items.count }
        return Batch(taken)
    }
}
