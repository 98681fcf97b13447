import Testing

@testable import Ingestion

struct BatchQueueTests {
    private func items(_ count: Int) -> [BatchItem] {
        (0..<count).map { _ in
            BatchItem(appID: 1, text: [], content: .failure(ItemRejection(.invalidJSON, "")))
        }
    }

    /// Returns a queue of requests of these sizes; each is named by its size.
    private func queue(
        of counts: [Int], queued: Int = 100, batch: Int = 10
    ) -> (queue: BatchQueue<Int>, rejected: [Int]) {
        var queue = BatchQueue<Int>(
            limits: BatchLimits(
                queued: BatchSize(items: queued, bytes: 1_000), batch: BatchSize(items: batch, bytes: 1_000)))
        let rejected = counts.filter { !queue.append(items($0), for: $0) }
        return (queue, rejected)
    }

    @Test("a batch is everything that is queued, up to its bound, in the order of arrival")
    func takesInOrder() {
        var (queue, rejected) = queue(of: [4, 5, 2, 1])
        #expect(rejected.isEmpty)
        let first = queue.takeBatch()
        #expect(first?.callers == [4, 5])
        #expect(first?.items.count == 9)
        #expect(queue.size.items == 3)
        let second = queue.takeBatch()
        #expect(second?.callers == [2, 1])
        #expect(queue.size == BatchSize())
        let none = queue.takeBatch()
        #expect(none?.callers == nil)
    }

    @Test("a request larger than the bound is a batch of its own")
    func largeRequest() {
        var (queue, _) = queue(of: [50, 1])
        let batch = queue.takeBatch()
        #expect(batch?.callers == [50])
    }

    @Test(
        "a full queue rejects; until then it accepts requests of any size, large ones as readily as small ones"
    )
    func bounds() {
        let (empty, tooLarge) = queue(of: [11, 1], queued: 10)
        #expect(tooLarge == [1])
        #expect(empty.isFull)
        #expect(empty.size.items == 11)
        let (nearlyFull, rejected) = queue(of: [9, 8, 1, 2], queued: 10)
        #expect(rejected == [1, 2])
        #expect(nearlyFull.size.items == 17)
        let (open, none) = queue(of: [4, 5], queued: 10)
        #expect(none.isEmpty)
        #expect(open.isFull == false)
    }

    @Test("each request gets its own share of the verdicts")
    func shares() {
        var (queue, _) = queue(of: [2, 1])
        let batch = queue.takeBatch()
        let shares = batch?.shares(of: [.accepted, .duplicate, .accepted])
        #expect(shares?.map(\.caller) == [2, 1])
        #expect(shares?.map(\.verdicts) == [[.accepted, .duplicate], [.accepted]])
    }
}
