internal import Synchronization

/// Groups what is posted at the same time into one transaction.
///
/// There is no timer. While one batch is being written, requests queue; the next batch is everything that queued. An idle
/// server therefore answers after one commit, and batches grow by themselves as load does.
///
/// The request that finds no writer at work sets one to work; it writes batch after batch until nobody waits. Who posts waits
/// with a closure, not with a task: for a request of one event a task costs more than everything that is done for it here.
public final class EventBatcher: Sendable {
    /// Gets the items and the writer's number, from 0.
    public typealias Write = @Sendable (_ items: [BatchItem], _ writer: Int) async throws -> [Verdict]
    /// Gets one verdict per item, in order; or what writing threw, and then none of the items was recorded. Called once, on
    /// any thread, and must not block it.
    public typealias Completion = @Sendable (Result<[Verdict], any Error>) -> Void

    private typealias Queue = BatchQueue<Completion>

    private struct State {
        var queue: Queue
        var activeWriters = 0
        /// The numbers of those who do not write.
        var idleWriters: [Int]
    }

    private enum Turn {
        case waits
        case refused
        /// The queue's batch is this writer's.
        case writes(Queue.Batch, writer: Int)
    }

    private let write: Write
    private let limits: BatchLimits
    private let executor: (any TaskExecutor)?
    private let state: Mutex<State>
    /// For those who ask without waiting for the lock: items that wait, and whether no more may.
    private let waitingItems = Atomic<Int>(0)
    private let isQueueFull = Atomic<Bool>(false)

    /// - Parameters:
    ///   - limits: how much may queue and how much is written at once.
    ///   - writers: how many batches may be under way at once.
    ///   - executor: where writers run between their statements; nil for Swift's own.
    ///   - write: writes one batch in one transaction and answers one verdict per item, in order.
    public init(
        limits: BatchLimits = .init(), writers: Int = 1, executor: (any TaskExecutor)? = nil,
        write: @escaping Write
    ) {
        self.limits = limits
        self.write = write
        self.executor = executor
        state = Mutex(
            State(
                queue: Queue(limits: limits), idleWriters: Array((0..<max(1, writers)).reversed())))
    }

    /// Records the items and tells the verdicts after they are committed.
    ///
    /// The error is ``EventBatcherError/overloaded`` when the queue is full.
    public func record(_ items: [BatchItem], then completion: @escaping Completion) {
        guard !items.isEmpty else { return completion(.success([])) }
        switch join(items, completion) {
        case .waits: break
        case .refused: completion(.failure(EventBatcherError.overloaded))
        case .writes(let batch, let writer):
            Task(executorPreference: executor) { await self.writeBatches(from: batch, writer: writer) }
        }
    }

    /// Records the items and returns one verdict each, in order, after they are committed.
    ///
    /// - Throws: ``EventBatcherError/overloaded`` when the queue is full; otherwise what writing threw, and then none of
    ///   the items was recorded.
    public func record(_ items: [BatchItem]) async throws -> [Verdict] {
        try await withCheckedThrowingContinuation { continuation in
            record(items) { continuation.resume(with: $0) }
        }
    }

    /// Items that wait for their batch.
    public var queuedItemCount: Int { waitingItems.load(ordering: .relaxed) }

    /// Whether a request would most likely be refused: worth asking before its body is read, and again before its items are.
    public var isFull: Bool { isQueueFull.load(ordering: .relaxed) }

    private func writeBatches(from first: Queue.Batch, writer: Int) async {
        var next: Queue.Batch? = first
        while let batch = next {
            do {
                let verdicts = try await write(batch.items, writer)
                for share in batch.shares(of: verdicts) { share.caller(.success(share.verdicts)) }
            } catch {
                for caller in batch.callers { caller(.failure(error)) }
            }
            next = takeNextBatch(writer: writer)
        }
    }
}

// MARK: - Under the lock; callers are told behind it

extension EventBatcher {
    private func join(_ items: [BatchItem], _ completion: @escaping Completion) -> Turn {
        state.withLock { state in
            guard state.queue.append(items, for: completion) else { return .refused }
            defer { publish(state.queue) }
            guard isWriterDue(state), let writer = state.idleWriters.popLast(),
                let batch = state.queue.takeBatch()
            else { return .waits }
            state.activeWriters += 1
            return .writes(batch, writer: writer)
        }
    }

    /// Nil when this writer is not needed any more.
    private func takeNextBatch(writer: Int) -> Queue.Batch? {
        state.withLock { state in
            state.activeWriters -= 1
            guard isWriterDue(state), let batch = state.queue.takeBatch() else {
                state.idleWriters.append(writer)
                return nil
            }
            state.activeWriters += 1
            publish(state.queue)
            return batch
        }
    }

    private func publish(_ queue: borrowing Queue) {
        waitingItems.store(queue.size.items, ordering: .relaxed)
        isQueueFull.store(queue.isFull, ordering: .relaxed)
    }

    /// One writer is enough for what it can take along: two small batches cost more than one that is twice as large.
    private func isWriterDue(_ state: borrowing State) -> Bool {
        state.activeWriters == 0 || state.queue.size.items >= limits.furtherWriter
    }
}

public enum EventBatcherError: Error, Sendable {
    /// The queue is full; nothing was recorded.
    case overloaded
}
