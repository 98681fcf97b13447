import DeliveryModel
import Synchronization
import Testing

@testable import Ingestion

/// The queues of several cells.
@Suite struct SharedQueueTests {
    fileprivate static let limit = BatchSize(items: 90, bytes: 1_000_000)

    /// A batcher whose writer waits until the gate is open, and requests of one item, each of another flow.
    private final class Line: Sendable {
        private let gate = Atomic<Bool>(false)
        private let answers = Mutex((written: 0, rejected: 0))
        private let shared: SharedQueue?
        private let batcher = Mutex<EventBatcher?>(nil)

        init(sharing shared: SharedQueue?) { self.shared = shared }

        private func opened() -> EventBatcher {
            batcher.withLock { known in
                if let known { return known }
                let limits = BatchLimits(
                    queued: SharedQueueTests.limit, batch: BatchSize(items: 1, bytes: 1_000))
                let made = EventBatcher(limits: limits, sharing: shared) { [self] items, _ in
                    while !gate.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
                    return items.map { _ in Verdict.accepted }
                }
                known = made
                return made
            }
        }

        /// Returns how many were not rejected at once.
        func post(_ count: Int) -> Int {
            let before = rejected
            for appID in 1...count {
                let item = BatchItem(
                    appID: Int64(appID), text: [], content: .failure(ItemRejection(.invalidJSON, "")))
                opened().record([item]) { [self] result in
                    answers.withLock { answers in
                        if case .success = result { answers.written += 1 } else { answers.rejected += 1 }
                    }
                }
            }
            return count - (rejected - before)
        }

        var rejected: Int { answers.withLock { $0.rejected } }

        /// Lets the writer write, and waits until this many requests are written.
        func write(_ count: Int) async throws {
            gate.store(true, ordering: .relaxed)
            while answers.withLock({ $0.written }) < count {
                try await Task.sleep(for: .milliseconds(1))
            }
            gate.store(false, ordering: .relaxed)
        }

        func isFull(forApp appID: Int64) -> Bool { opened().isFull(for: Flow(appID: appID, poster: .device)) }
    }

    @Test("many flows of a cell that stalls leave the others their room", .timeLimit(.minutes(40)))
    func stalls() async throws {
        let shared = SharedQueue(limit: Self.limit)
        let (stalled, other) = (Line(sharing: shared), Line(sharing: shared))
        // One is being written. The others have two thirds of the queue, and a third cell would find room.
        #expect(stalled.post(100) == 61)
        #expect(stalled.isFull(forApp: 200))
        #expect(other.post(100) == 21)
        #expect(other.isFull(forApp: 200) && stalled.isFull(forApp: 200))
        try await stalled.write(61)
        // What the one gave back, the other may use.
        #expect(!other.isFull(forApp: 200) && !stalled.isFull(forApp: 200))
        #expect(other.post(100) == 40)
        try await other.write(61)
        #expect(stalled.post(100) == 61)
        try await stalled.write(122)
    }

    @Test("a queue that is not shared is divided among its flows alone", .timeLimit(.minutes(40)))
    func alone() async throws {
        let line = Line(sharing: nil)
        #expect(line.post(200) == 91)
        try await line.write(91)
    }

    @Test("the limit of a cell follows the rule of flows", arguments: [0, 1, 30, 89, 90, 100])
    func rule(others: Int) {
        let limit = Flow.limit(inCell: 90, besides: others)
        #expect(limit >= 0)
        // A cell has its share once it holds its limit, and not before.
        #expect(limit == 0 || !Flow.hasItsShare(limit - 1, ofAll: others + limit - 1, limit: 90))
        #expect(Flow.hasItsShare(limit + 1, ofAll: others + limit + 1, limit: 90))
    }
}
