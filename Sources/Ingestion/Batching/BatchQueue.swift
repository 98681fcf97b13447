/// The arithmetic of group commit: which requests may queue, and which are written next. A value, which tests
/// need no database for.
///
/// A request is its items and the caller that waits for their verdicts. The requests of a flow are written in
/// their order. Flows take turns, and each turn adds to what a flow may write (deficit round robin, Shreedhar
/// and Varghese 1996): a flood from one delays the requests of the others by no more than a batch.
struct BatchQueue<Caller: Sendable>: Sendable {
    struct Batch: Sendable {
        fileprivate let requests: [Request]

        var items: [BatchItem] {
            guard requests.count != 1 else { return requests[0].items }
            return requests.flatMap(\.items)
        }

        var callers: [Caller] { requests.map(\.caller) }

        /// The requests of an app, and all others; `nil` twice unless there are some of both.
        func divided(by appID: Int64?) -> (of: Batch?, others: Batch?) {
            let isOfApp = { (request: Request) in request.items.first?.appID == appID }
            let (own, others) = (requests.filter(isOfApp), requests.filter { !isOfApp($0) })
            guard !own.isEmpty, !others.isEmpty else { return (nil, nil) }
            return (Batch(requests: own), Batch(requests: others))
        }

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

    private enum TurnEnd {
        case nothingWaits
        case creditIsSpent
        case batchIsFull
    }

    private struct Line {
        private(set) var requests: [Request] = []
        private(set) var size = BatchSize()
        /// The work that the flow may still have written in its turn.
        var credit: Int

        mutating func append(_ request: Request) {
            requests.append(request)
            size = size + request.size
        }

        /// Moves requests that the credit pays for to the batch.
        mutating func take(into batch: inout [Request], _ total: inout BatchSize, limit: BatchSize) -> TurnEnd
        {
            var (end, count) = (TurnEnd.nothingWaits, 0)
            for request in requests {
                let grown = total + request.size
                guard request.size.work <= credit else {
                    end = .creditIsSpent
                    break
                }
                guard grown.fits(limit) || batch.isEmpty else {
                    end = .batchIsFull
                    break
                }
                credit -= request.size.work
                size = size - request.size
                total = grown
                batch.append(request)
                count += 1
            }
            requests.removeFirst(count)
            return end
        }
    }

    private let limits: BatchLimits
    private let shared: SharedQueue?
    private var lines: [Flow: Line] = [:]
    /// The flows with queued requests, in the order of their turns.
    private var turns: [Flow] = []
    private(set) var size = BatchSize()

    /// - Parameter shared: the queue of all cells, if there are several.
    init(limits: BatchLimits, sharing shared: SharedQueue? = nil) {
        (self.limits, self.shared) = (limits, shared)
    }

    private var room: BatchSize { shared?.room(forQueueOf: size) ?? limits.queued }

    /// Whether a flow has its share of the queue. Until then a request of any size is accepted, so that large
    /// requests have the same chance as small ones, and a caller that finds room and reads a request has
    /// seldom read it in vain.
    func isFull(for flow: Flow) -> Bool {
        let (held, room) = (lines[flow]?.size ?? BatchSize(), self.room)
        return Flow.hasItsShare(held.items, ofAll: size.items, limit: room.items)
            || Flow.hasItsShare(held.bytes, ofAll: size.bytes, limit: room.bytes)
    }

    /// False if the queue is full for no flow.
    var mayBeFull: Bool {
        shared != nil || Flow.mayHaveItsShare(ofAll: size.items, limit: limits.queued.items)
            || Flow.mayHaveItsShare(ofAll: size.bytes, limit: limits.queued.bytes)
    }

    /// Returns false if the queue is full for the flow, of which all items are.
    mutating func append(_ items: [BatchItem], of flow: Flow, for caller: Caller) -> Bool {
        guard !isFull(for: flow) else { return false }
        let request = Request(items: items, size: BatchSize(of: items), caller: caller)
        if lines[flow] == nil { turns.append(flow) }
        lines[flow, default: Line(credit: limits.turn)].append(request)
        size = size + request.size
        shared?.add(request.size)
        return true
    }

    /// The next requests that fit into a batch, turn by turn; `nil` if none waits.
    mutating func takeBatch() -> Batch? {
        var taken: [Request] = []
        var total = BatchSize()
        turns: while let flow = turns.first {
            switch lines[flow]?.take(into: &taken, &total, limit: limits.batch) {
            case .nothingWaits, nil:
                lines[flow] = nil
                turns.removeFirst()
            case .creditIsSpent:
                lines[flow]?.credit += limits.turn
                turns.append(turns.removeFirst())
            case .batchIsFull:
                // The flow keeps its turn and its credit.
                break turns
            }
        }
        size = size - total
        shared?.add(BatchSize() - total)
        return taken.isEmpty ? nil : Batch(requests: taken)
    }
}

public struct BatchLimits: Sendable {
    /// The size for all flows; one flow alone may queue two thirds of it: about half a second of two cores.
    public var queued: BatchSize
    /// The most that one transaction writes, unless a single request is larger.
    public var batch: BatchSize
    /// The work that each turn allows a flow.
    public var turn: Int
    /// The number of queued items that justifies another writer's transaction.
    public var furtherWriter: Int

    public init(
        queued: BatchSize = BatchSize(items: 45_000, bytes: 24 << 20),
        batch: BatchSize = BatchSize(items: 10_000, bytes: 16 << 20), turn: Int = 1_000,
        furtherWriter: Int = 24
    ) {
        (self.queued, self.batch, self.turn, self.furtherWriter) = (queued, batch, turn, furtherWriter)
    }
}

/// A size in items, and in bytes as posted.
public struct BatchSize: Hashable, Sendable {
    public var items: Int
    public var bytes: Int

    public init(items: Int = 0, bytes: Int = 0) {
        (self.items, self.bytes) = (items, bytes)
    }

    init(of items: [BatchItem]) {
        self.init(items: items.count, bytes: items.reduce(0) { $0 + $1.text.count })
    }

    /// What it costs to write: a kilobyte as much as an item.
    var work: Int { items + bytes / 1_024 }

    func fits(_ limit: BatchSize) -> Bool { items <= limit.items && bytes <= limit.bytes }

    static func + (left: BatchSize, right: BatchSize) -> BatchSize {
        BatchSize(items: left.items + right.items, bytes: left.bytes + right.bytes)
    }

    static func - (left: BatchSize, right: BatchSize) -> BatchSize {
        BatchSize(items: left.items - right.items, bytes: left.bytes - right.bytes)
    }
}
