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

        /// - Parameter failures: why the requests of some apps have no verdicts.
        func shares(
            of verdicts: [Verdict], without failures: [Int64: any Error] = [:]
        ) -> [(caller: Caller, result: Result<[Verdict], any Error>)] {
            var rest = verdicts[...]
            return requests.map { request in
                defer { rest = rest.dropFirst(request.items.count) }
                if !failures.isEmpty, let failure = request.items.first.flatMap({ failures[$0.appID] }) {
                    return (request.caller, .failure(failure))
                }
                return (request.caller, .success(Array(rest.prefix(request.items.count))))
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
