internal import Synchronization

/// Groups what is posted at the same time into one transaction.
///
/// There is no timer. While one batch is being written, requests queue; the next batch is everything that queued. An idle
/// server therefore answers after one commit, and batches grow by themselves as load does.
///
/// The request that finds no batch under way leads: it writes the batch in its own task, hands the verdicts out, and passes
/// the lead to the first request still waiting. No task outlives its request.
public actor EventBatcher {
    /// Gets the items and the writer's number, from 0.
    public typealias Write = @Sendable (_ items: [BatchItem], _ writer: Int) async throws -> [Verdict]

    private enum Turn {
        case lead(BatchQueue.Batch, writer: Int)
        case written(Result<[Verdict], any Error>)
    }

    private let write: Write
    private let limits: BatchQueue.Limits
    /// Items that wait, for those who ask without waiting for their turn.
    private let waitingItems = Atomic<Int>(0)
    private var queue: BatchQueue
    private var activeWriters = 0
    /// The numbers of those who do not write.
    private var idleWriters: [Int]
    private var waiting: [BatchQueue.Ticket: CheckedContinuation<Turn, Never>] = [:]

    /// - Parameters:
    ///   - limits: how much may queue and how much is written at once.
    ///   - writers: how many batches may be under way at once.
    ///   - write: writes one batch in one transaction and answers one verdict per item, in order.
    public init(limits: BatchQueue.Limits = .init(), writers: Int = 1, write: @escaping Write) {
        self.limits = limits
        self.queue = BatchQueue(limits: limits)
        self.idleWriters = Array((0..<max(1, writers)).reversed())
        self.write = write
    }

    /// Records the items and returns one verdict each, in order, after they are committed.
    ///
    /// - Throws: ``EventBatcherError/overloaded`` when the queue is full; otherwise what writing threw, and then none of
    ///   the items was recorded.
    public func record(_ items: [BatchItem]) async throws -> [Verdict] {
        guard !items.isEmpty else { return [] }
        guard let ticket = queue.append(items) else { throw EventBatcherError.overloaded }
        if isWriterDue, let writer = idleWriters.popLast() {
            activeWriters += 1
            return try await lead(takeBatch(leading: ticket), writer: writer)
        }
        waitingItems.store(queue.size.items, ordering: .relaxed)
        switch await withCheckedContinuation({ waiting[ticket] = $0 }) {
        case .written(let result): return try result.get()
        case .lead(let batch, let writer): return try await lead(batch, writer: writer)
        }
    }

    /// Items that wait for their batch.
    public nonisolated var queuedItemCount: Int { waitingItems.load(ordering: .relaxed) }

    /// Whether a request would most likely be refused: worth asking before its body is read.
    public nonisolated var isFull: Bool { queuedItemCount >= limits.queued.items }

    /// Writes the batch; the first of its tickets is the caller's.
    private func lead(_ batch: BatchQueue.Batch, writer: Int) async throws -> [Verdict] {
        let result: Result<[Verdict], any Error>
        do {
            result = .success(try await write(batch.items, writer))
        } catch {
            result = .failure(error)
        }
        passLead(of: writer)
        for other in batch.tickets.dropFirst() {
            waiting.removeValue(forKey: other)?.resume(
                returning: .written(result.map { batch.share(of: other, $0) }))
        }
        let verdicts = try result.get()
        return batch.tickets.first.map { batch.share(of: $0, verdicts) } ?? []
    }

    /// One writer is enough for what it can take along: two small batches cost more than one that is twice as large.
    private var isWriterDue: Bool { activeWriters == 0 || queue.size.items >= limits.furtherWriter }

    private func takeBatch(leading ticket: BatchQueue.Ticket) -> BatchQueue.Batch {
        defer { waitingItems.store(queue.size.items, ordering: .relaxed) }
        return queue.takeBatch(leading: ticket)
    }

    /// The next batch is taken out of the queue here and now, so that nobody else can write it.
    private func passLead(of writer: Int) {
        activeWriters -= 1
        if isWriterDue, let next = queue.first, let continuation = waiting.removeValue(forKey: next) {
            activeWriters += 1
            continuation.resume(returning: .lead(takeBatch(leading: next), writer: writer))
        } else {
            idleWriters.append(writer)
        }
    }
}

public enum EventBatcherError: Error, Sendable {
    /// The queue is full; nothing was recorded.
    case overloaded
}
