import Ingestion
import Testing

struct BatchQueueTests {
    private func items(_ count: Int) -> [BatchItem] {
        (0..<count).map { _ in
            BatchItem(appID: 1, text: [], content: .failure(ItemRejection(.invalidJSON, "")))
        }
    }

    @Test("a batch is everything that queued, up to its bound, in the order of arrival")
    func takesInOrder() {
        var queue = BatchQueue(
            limits: .init(
                queued: BatchSize(items: 100, bytes: 1_000), batch: BatchSize(items: 10, bytes: 1_000)))
        let tickets = [4, 5, 2, 1].compactMap { queue.append(items($0)) }
        let batch = queue.takeBatch(leading: tickets[0])
        #expect(batch.tickets == Array(tickets[0...1]))
        #expect(batch.items.count == 9)
        #expect(queue.size.items == 3)
        #expect(queue.first == tickets[2])
    }

    @Test("a request larger than the bound goes alone")
    func largeRequest() throws {
        var queue = BatchQueue(
            limits: .init(
                queued: BatchSize(items: 100, bytes: 1_000), batch: BatchSize(items: 10, bytes: 1_000)))
        let appended = queue.append(items(50))
        let large = try #require(appended)
        _ = queue.append(items(1))
        #expect(queue.takeBatch(leading: large).items.count == 50)
    }

    @Test("a full queue refuses; an empty one takes a request of any size")
    func bounds() {
        var queue = BatchQueue(
            limits: .init(
                queued: BatchSize(items: 10, bytes: 1_000), batch: BatchSize(items: 10, bytes: 1_000)))
        #expect(queue.append(items(11)) != nil)
        #expect(queue.append(items(1)) == nil)
    }

    @Test("each request gets its own share of the verdicts")
    func shares() throws {
        var queue = BatchQueue(limits: .init())
        let appended = [queue.append(items(2)), queue.append(items(1))]
        let first = try #require(appended[0])
        let second = try #require(appended[1])
        let batch = queue.takeBatch(leading: first)
        let verdicts: [Verdict] = [.accepted, .duplicate, .accepted]
        #expect(batch.shares(of: verdicts)[first] == [.accepted, .duplicate])
        #expect(batch.shares(of: verdicts)[second] == [.accepted])
    }
}
