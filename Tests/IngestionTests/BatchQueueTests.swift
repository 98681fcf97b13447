import Testing

@testable import Ingestion

struct BatchQueueTests {
    private func items(_ count: Int) -> [BatchItem] {
        (0..<count).map { _ in
            BatchItem(appID: 1, text: [], content: .failure(ItemRejection(.invalidJSON, "")))
        }
    }

    @Test("a batch is everything that queued, up to its bound, in the order of arrival")
    func takesInOrder() throws {
        var queue = BatchQueue<Int>(
            limits: .init(
                queued: BatchSize(items: 100, bytes: 1_000), batch: BatchSize(items: 10, bytes: 1_000)))
        for count in [4, 5, 2, 1] {
            let isTaken = queue.append(items(count), for: count)
            #expect(isTaken)
        }
        let batch = try #require(queue.takeBatch())
        #expect(batch.callers == [4, 5])
        #expect(batch.items.count == 9)
        #expect(queue.size.items == 3)
        #expect(queue.takeBatch()?.callers == [2, 1])
        #expect(queue.size == BatchSize())
    }

    @Test("an empty queue has no batch")
    func nobodyWaits() {
        var queue = BatchQueue<Int>(limits: .init())
        #expect(queue.takeBatch()?.callers == nil)
    }

    @Test("a request larger than the bound goes alone")
    func largeRequest() {
        var queue = BatchQueue<Int>(
            limits: .init(
                queued: BatchSize(items: 100, bytes: 1_000), batch: BatchSize(items: 10, bytes: 1_000)))
        #expect(queue.append(items(50), for: 1))
        #expect(queue.append(items(1), for: 2))
        #expect(queue.takeBatch()?.items.count == 50)
    }

    @Test("a full queue refuses; an empty one takes a request of any size")
    func bounds() {
        var queue = BatchQueue<Int>(
            limits: .init(
                queued: BatchSize(items: 10, bytes: 1_000), batch: BatchSize(items: 10, bytes: 1_000)))
        #expect(queue.append(items(11), for: 1))
        #expect(!queue.append(items(1), for: 2))
    }

    @Test("each request gets its own share of the verdicts")
    func shares() throws {
        var queue = BatchQueue<String>(limits: .init())
        #expect(queue.append(items(2), for: "first"))
        #expect(queue.append(items(1), for: "second"))
        let batch = try #require(queue.takeBatch())
        let shares = batch.shares(of: [.accepted, .duplicate, .accepted])
        #expect(shares.map(\.caller) == ["first", "second"])
        #expect(shares.map(\.verdicts) == [[.accepted, .duplicate], [.accepted]])
    }
}
