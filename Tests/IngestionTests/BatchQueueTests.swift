import Testing

@testable import Ingestion

struct BatchQueueTests {
    private func items(_ count: Int) -> [BatchItem] {
        (0..<count).map { _ in
            BatchItem(appID: 1, text: [], content: .failure(ItemRejection(.invalidJSON, "")))
        }
    }

    private let devices = Flow(appID: 1, poster: .device)
    private let servers = Flow(appID: 1, poster: .server)

    /// Returns a queue of one flow's requests of these sizes; each is named by its size.
    private func queue(
        of counts: [Int], queued: Int = 100, batch: Int = 10
    ) -> (queue: BatchQueue<Int>, rejected: [Int]) {
        var queue = BatchQueue<Int>(
            limits: BatchLimits(
                queued: BatchSize(items: queued, bytes: 1_000), batch: BatchSize(items: batch, bytes: 1_000)))
        let rejected = counts.filter { !queue.append(items($0), of: devices, for: $0) }
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
        "a flow that has its share is rejected; until then it may queue requests of any size, large ones as readily as small ones"
    )
    func bounds() {
        let (empty, tooLarge) = queue(of: [16, 1], queued: 15)
        #expect(tooLarge == [1])
        #expect(empty.isFull(for: devices) && empty.mayBeFull)
        #expect(empty.size.items == 16)
        let (nearlyFull, rejected) = queue(of: [9, 8, 1, 2], queued: 15)
        #expect(rejected == [1, 2])
        #expect(nearlyFull.size.items == 17)
        let (open, none) = queue(of: [4, 5], queued: 15)
        #expect(none.isEmpty)
        #expect(!open.isFull(for: devices) && !open.mayBeFull)
    }

    @Test("a flow alone gets two thirds of the queue, two get two fifths each, and one more still finds room")
    func sharesOfTheQueue() {
        func fill(_ queue: inout BatchQueue<Int>, with flow: Flow) -> Int {
            var count = 0
            while queue.append(items(1), of: flow, for: 0) { count += 1 }
            return count
        }
        var (queue, _) = queue(of: [], queued: 150)
        #expect(fill(&queue, with: devices) == 100)
        #expect(queue.isFull(for: devices) && !queue.isFull(for: servers))
        #expect(fill(&queue, with: servers) == 34)
        _ = queue.takeBatch()
        while queue.takeBatch() != nil {}
        #expect(queue.size == BatchSize())
        while queue.append(items(1), of: devices, for: 0), queue.append(items(1), of: servers, for: 0) {}
        #expect(queue.size.items == 120)
        #expect(!queue.isFull(for: Flow(appID: 2, poster: .device)))
    }

    @Test("flows take turns: a flood delays the others by no more than a batch")
    func turns() {
        var queue = BatchQueue<String>(
            limits: BatchLimits(
                queued: BatchSize(items: 1_000, bytes: 1_000), batch: BatchSize(items: 40, bytes: 1_000),
                turn: 10))
        for _ in 0..<200 { _ = queue.append(items(1), of: devices, for: "flood") }
        _ = queue.append(items(15), of: servers, for: "server")
        _ = queue.append(items(5), of: Flow(appID: 2, poster: .device), for: "other app")
        let first = queue.takeBatch()?.callers ?? []
        #expect(first.filter { $0 == "flood" }.count == 20)
        #expect(first.filter { $0 != "flood" } == ["other app", "server"])
        let second = queue.takeBatch()?.callers ?? []
        #expect(second == Array(repeating: "flood", count: 40))
    }

    @Test("a request larger than a turn waits until the turns of its flow have paid for it, and no longer")
    func patience() {
        var queue = BatchQueue<String>(
            limits: BatchLimits(
                queued: BatchSize(items: 1_000, bytes: 1_000), batch: BatchSize(items: 40, bytes: 1_000),
                turn: 10))
        for _ in 0..<200 { _ = queue.append(items(1), of: devices, for: "flood") }
        _ = queue.append(items(30), of: servers, for: "server")
        let first = queue.takeBatch()?.callers
        #expect(first == Array(repeating: "flood", count: 30))
        let second = queue.takeBatch()?.callers
        #expect(second == ["server"] + Array(repeating: "flood", count: 10))
    }

    @Test("a kilobyte weighs as much as an item")
    func bytes() {
        let heavy = BatchItem(
            appID: 1, text: Array(repeating: 32, count: 9_000)[...],
            content: .failure(ItemRejection(.invalidJSON, "")))
        var queue = BatchQueue<String>(
            limits: BatchLimits(
                queued: BatchSize(items: 1_000, bytes: 100_000), batch: BatchSize(items: 40, bytes: 50_000),
                turn: 10))
        for _ in 0..<6 { _ = queue.append([heavy], of: devices, for: "heavy") }
        for _ in 0..<30 { _ = queue.append(items(1), of: servers, for: "light") }
        let turn = ["heavy"] + Array(repeating: "light", count: 10)
        let callers = queue.takeBatch()?.callers
        #expect(callers == turn + turn + turn + ["heavy", "heavy"])
    }

    @Test("each request gets its own share of the verdicts")
    func shares() throws {
        var (queue, _) = queue(of: [2, 1])
        let batch = queue.takeBatch()
        let shares = batch?.shares(of: [.accepted, .duplicate, .accepted])
        #expect(shares?.map(\.caller) == [2, 1])
        #expect(try shares?.map { try $0.result.get() } == [[.accepted, .duplicate], [.accepted]])
    }
}
