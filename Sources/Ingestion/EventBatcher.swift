internal import Synchronization

/// Groups what is posted at the same time into one transaction.
///
/// There is no timer. While one batch is being written, requests queue; the next batch is everything that queued. An idle
/// server therefore answers after one commit, and batches grow by themselves as load does.
///
/// The request that finds no batch under way leads: it writes the batch in its own task, hands the verdicts out, and passes
/// the lead to the first request still waiting. No task outlives its request.
///
/// A lock and no actor: a request has two words to say to the others, and would change executors twice for each of them.
public final class EventBatcher: Sendable {
    /// Gets the items and the writer's number, from 0.
    public typealias Write = @Sendable (_ items: [BatchItem], _ writer: Int) async throws -> [Verdict]

    private typealias Waiting = CheckedContinuation<Turn, Never>

    private enum Turn {
        case lead(BatchQueue.Batch, writer: Int)
        case written(Result<[Verdict], any Error>)
        case refused
    }

    private struct State {
        var queue: BatchQueue
        var activeWriters = 0
        /// The numbers of those who do not write.
        var idleWriters: [Int]
        var waiting: [BatchQueue.Ticket: Waiting] = [:]
    }

    private let write: Write
    private let limits: BatchQueue.Limits
    private let state: Mutex<State>
    /// Items that wait, for those who ask without waiting for the lock.
    private let waitingItems = Atomic<Int>(0)

    /// - Parameters:
    ///   - limits: how much may queue and how much is written at once.
    ///   - writers: how many batches may be under way at once.
    ///   - write: writes one batch in one transaction and answers one verdict per item, in order.
    public init(limits: BatchQueue.Limits = .init(), writers: Int = 1, write: @escaping Write) {
        self.limits = limits
        self.write = write
        state = Mutex(
            State(
                queue: BatchQueue(limits: limits), idleWriters: Array((0..<max(1, writers)).reversed())))
    }

    /// Records the items and returns one verdict each, in order, after they are committed.
    ///
    /// - Throws: ``EventBatcherError/overloaded`` when the queue is full; otherwise what writing threw, and then none of
    ///   the items was recorded.
    public func record(_ items: [BatchItem]) async throws -> [Verdict] {
        guard !items.isEmpty else { return [] }
        // Queued and waiting in one: the lead cannot be passed to a request that does not listen yet.
        let turn = await withCheckedContinuation { continuation in
            join(items, continuation)?.resume()
        }
        switch turn {
        case .written(let result): return try result.get()
        case .lead(let batch, let writer): return try await lead(batch, writer: writer)
        case .refused: throw EventBatcherError.overloaded
        }
    }

    /// Items that wait for their batch.
    public var queuedItemCount: Int { waitingItems.load(ordering: .relaxed) }

    /// Whether a request would most likely be refused: worth asking before its body is read.
    public var isFull: Bool { queuedItemCount >= limits.queued.items }

    /// Writes the batch; the first of its tickets is the caller's.
    private func lead(_ batch: BatchQueue.Batch, writer: Int) async throws -> [Verdict] {
        let result: Result<[Verdict], any Error>
        do {
            result = .success(try await write(batch.items, writer))
        } catch {
            result = .failure(error)
        }
        passLead(of: writer)?.resume()
        let shares = result.map { batch.shares(of: $0) }
        for (ticket, request) in release(batch.tickets.dropFirst()) {
            request.resume(returning: .written(shares.map { $0[ticket] ?? [] }))
        }
        let own = try shares.get()
        return batch.tickets.first.flatMap { own[$0] } ?? []
    }
}

// MARK: - Under the lock; requests are resumed behind it

extension EventBatcher {
    private struct Call {
        let request: Waiting
        let turn: Turn

        func resume() { request.resume(returning: turn) }
    }

    /// Nil when the request has to wait.
    private func join(_ items: [BatchItem], _ request: Waiting) -> Call? {
        state.withLock { state in
            guard let ticket = state.queue.append(items) else {
                return Call(request: request, turn: .refused)
            }
            guard isWriterDue(state), let writer = state.idleWriters.popLast() else {
                state.waiting[ticket] = request
                waitingItems.store(state.queue.size.items, ordering: .relaxed)
                return nil
            }
            return Call(request: request, turn: begin(ticket, writer: writer, &state))
        }
    }

    /// The next batch is taken out of the queue here and now, so that nobody else can write it.
    private func passLead(of writer: Int) -> Call? {
        state.withLock { state in
            state.activeWriters -= 1
            guard isWriterDue(state), let next = state.queue.first,
                let request = state.waiting.removeValue(forKey: next)
            else {
                state.idleWriters.append(writer)
                return nil
            }
            return Call(request: request, turn: begin(next, writer: writer, &state))
        }
    }

    private func begin(_ ticket: BatchQueue.Ticket, writer: Int, _ state: inout State) -> Turn {
        state.activeWriters += 1
        let batch = state.queue.takeBatch(leading: ticket)
        waitingItems.store(state.queue.size.items, ordering: .relaxed)
        return .lead(batch, writer: writer)
    }

    /// One writer is enough for what it can take along: two small batches cost more than one that is twice as large.
    private func isWriterDue(_ state: borrowing State) -> Bool {
        state.activeWriters == 0 || state.queue.size.items >= limits.furtherWriter
    }

    private func release(_ tickets: ArraySlice<BatchQueue.Ticket>) -> [(BatchQueue.Ticket, Waiting)] {
        state.withLock { state in
            tickets.compactMap { ticket in state.waiting.removeValue(forKey: ticket).map { (ticket, $0) } }
        }
    }
}

public enum EventBatcherError: Error, Sendable {
    /// The queue is full; nothing was recorded.
    case overloaded
}
