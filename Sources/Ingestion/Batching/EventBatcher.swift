public import DeliveryModel
internal import Synchronization

/// Groups requests that are posted at the same time into one batch.
///
/// There is no timer. While one batch is being written, requests queue; the next batch is everything in the
/// queue. An idle server therefore responds after one commit, and batches grow with the load.
///
/// If a request finds no active writer, it starts one. A writer writes batch after batch until no request
/// waits. A caller waits with a closure, not with a task: for a request of one event, a task costs more than
/// all the work done for it here.
public final class EventBatcher: Sendable {
    /// Receives the items and the writer's number, counted from 0.
    public typealias Write = @Sendable (_ items: [BatchItem], _ writer: Int) async throws -> [Verdict]
    /// Receives one verdict per item, in order, or the error that writing threw: then a part of the items may
    /// be recorded, and they are duplicates if they are posted again. It is called once, on any thread, and
    /// must not block that thread.
    public typealias Completion = @Sendable (Result<[Verdict], any Error>) -> Void

    private typealias Queue = BatchQueue<Completion>

    private struct State {
        var queue: Queue
        var activeWriters = 0
        var idleWriters: [Int]
        var moving = MovingApps.Recent()
    }

    private enum Turn {
        case waits
        case rejected
        case writes(Queue.Batch, writer: Int)
    }

    private let write: Write
    private let limits: BatchLimits
    private let executor: (any TaskExecutor)?
    private let state: Mutex<State>
    /// Whether the queue may be full for a flow, or an app be moving, for callers that do not wait for the
    /// lock. Always true if there are several cells.
    private let mayBeFull: Atomic<Bool>

    /// - Parameters:
    ///   - writers: how many batches may be in progress at once.
    ///   - sharing: divides the queue among the batchers of several cells; `nil` if there is one.
    ///   - executor: where writers run between their statements; `nil` for Swift's default executor.
    ///   - write: writes one batch in one transaction and returns one verdict per item, in order.
    public init(
        limits: BatchLimits = .init(), writers: Int = 1, sharing sharedQueue: SharedQueue? = nil,
        executor: (any TaskExecutor)? = nil, write: @escaping Write
    ) {
        (self.limits, self.write, self.executor) = (limits, write, executor)
        let queue = Queue(limits: limits, sharing: sharedQueue)
        mayBeFull = Atomic(queue.mayBeFull)
        state = Mutex(State(queue: queue, idleWriters: Array((0..<max(1, writers)).reversed())))
    }

    /// Records the items, and passes on their verdicts after the commit, or ``EventBatcherError/overloaded``
    /// if the queue is full.
    public func record(_ items: [BatchItem], then completion: @escaping Completion) {
        guard let flow = items.first?.flow else { return completion(.success([])) }
        switch join(items, of: flow, completion) {
        case .waits: break
        case .rejected: completion(.failure(EventBatcherError.overloaded))
        case .writes(let batch, let writer):
            Task(executorPreference: executor) { await self.writeBatches(from: batch, writer: writer) }
        }
    }

    /// Records the items, all of one flow, and returns their verdicts, in order, after the commit. If it
    /// throws ``EventBatcherError`` or what writing threw, no item was recorded.
    public func record(_ items: [BatchItem]) async throws -> [Verdict] {
        try await withCheckedThrowingContinuation { continuation in
            record(items) { continuation.resume(with: $0) }
        }
    }

    var queuedItemCount: Int { state.withLock { $0.queue.size.items } }

    /// Whether a flow's request will likely be rejected: checked before reading a body and recording items.
    public func isFull(for flow: Flow) -> Bool {
        mayBeFull.load(ordering: .relaxed) && state.withLock { $0.queue.isFull(for: flow) }
    }

    /// The error of an app that was being moved a moment ago: its next requests would only delay others.
    public func movingError(of appID: Int64) -> (any Error)? {
        guard mayBeFull.load(ordering: .relaxed) else { return nil }
        return state.withLock { $0.moving.error(of: appID) }
    }

    private func writeBatches(from first: Queue.Batch, writer: Int) async {
        var next: Queue.Batch? = first
        while let batch = next {
            await record(batch, writer: writer)
            next = takeNextBatch(writer: writer)
        }
    }

    private func record(_ batch: Queue.Batch, writer: Int) async {
        do {
            let verdicts = try await write(batch.items, writer)
            for share in batch.shares(of: verdicts) { share.caller(share.result) }
        } catch let part as MovingApps {
            state.withLock { $0.moving.add(part) }
            for share in batch.shares(of: part.verdicts, without: part.errors) { share.caller(share.result) }
        } catch {
            for caller in batch.callers { caller(.failure(error)) }
        }
    }

    // MARK: - Under the lock; callers are called after it is released

    private func join(_ items: [BatchItem], of flow: Flow, _ completion: @escaping Completion) -> Turn {
        state.withLock { state in
            guard state.queue.append(items, of: flow, for: completion) else { return .rejected }
            defer { publish(state.queue) }
            guard isWriterDue(state), let writer = state.idleWriters.popLast(),
                let batch = state.queue.takeBatch()
            else { return .waits }
            state.activeWriters += 1
            return .writes(batch, writer: writer)
        }
    }

    /// Returns `nil` if this writer is no longer needed.
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

    private func publish(_ queue: borrowing Queue) { mayBeFull.store(queue.mayBeFull, ordering: .relaxed) }

    /// One writer is enough for what fits into its next batch: two small batches cost more than a large one.
    private func isWriterDue(_ state: borrowing State) -> Bool {
        state.activeWriters == 0 || state.queue.size.items >= limits.furtherWriter
    }
}

public enum EventBatcherError: Error, Sendable {
    /// The queue is full for the items' flow; nothing was recorded.
    case overloaded
}

/// One posted item on its way into the database: a valid event, or the reason why it is invalid.
public struct BatchItem: Sendable {
    public let appID: Int64
    /// The item as it was posted, for the quarantine.
    public let text: ArraySlice<UInt8>
    /// The preset in whose form the text is; `nil` if it is in the form of `POST /v1/events`.
    public let preset: String?
    /// The rules under which it was read, and under which a replay reads it again.
    public let poster: EventValidator.Poster
    public let content: Result<Event, ItemRejection>
    /// Whether it needs a response or receipt to be recorded: the quota of its app or address is spent.
    public var needsConfirmation: Bool

    /// Whether a receipt proves that the device has received the notification. The receipt of a message is
    /// the same for all of its devices, so it does not prove which ones there are.
    public var isProven: Bool {
        guard case .success(let event) = content, case .device(let report) = event.content,
            case .notification = event.name
        else { return false }
        return report.isSigned
    }

    public var flow: Flow { Flow(appID: appID, poster: poster) }

    /// - Parameter poster: the device by default, because it has the fewest rights.
    public init(
        appID: Int64, text: ArraySlice<UInt8>, preset: String? = nil,
        poster: EventValidator.Poster = .device, content: Result<Event, ItemRejection>,
        needsConfirmation: Bool = false
    ) {
        (self.appID, self.text, self.preset, self.poster) = (appID, text, preset, poster)
        (self.content, self.needsConfirmation) = (content, needsConfirmation)
    }

    func rejected(_ rejection: ItemRejection) -> BatchItem {
        BatchItem(
            appID: appID, text: text, preset: preset, poster: poster, content: .failure(rejection))
    }
}

/// The outcome of one item, and warnings for its sender.
public struct Verdict: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// It changed a row.
        case accepted
        /// The row already held everything it says.
        case duplicate
        /// It is in quarantine.
        case rejected(ItemRejection)
        /// It is not recorded, because nothing confirms it, and the quota of its app or address is spent.
        case overQuota
    }

    public var outcome: Outcome
    /// Empty for a rejected item.
    public var warnings: ItemWarnings = []
    /// Whether a response to its notification is known. False for rejected items and servers' duplicates.
    public var isMatched = false
    /// The number of device events recorded before this response; 0 unless it is the notification's first.
    public var confirmedEvents = 0

    public static let accepted = Verdict(outcome: .accepted)
    public static let duplicate = Verdict(outcome: .duplicate)

    public static func rejected(_ rejection: ItemRejection) -> Verdict {
        Verdict(outcome: .rejected(rejection))
    }
}
