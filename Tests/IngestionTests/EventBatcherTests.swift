import PostgresClient
import Synchronization
import Testing

@testable import Ingestion

struct EventBatcherTests {
    /// Items that carry a number, so that each verdict can be traced to its item.
    private func items(_ numbers: [Int]) -> [BatchItem] {
        numbers.map {
            BatchItem(
                appID: Int64($0), text: [], content: .failure(ItemRejection(.invalidField, String($0))))
        }
    }

    private func verdicts(of items: [BatchItem]) -> [Verdict] {
        items.map { item in
            guard case .failure(let rejection) = item.content else { return .accepted }
            return .rejected(rejection)
        }
    }

    @Test("every request gets the verdicts of its own items, and batches grow while one is being written")
    func grouping() async throws {
        let sizes = Mutex<[Int]>([])
        let batcher = EventBatcher { items, _ in
            sizes.withLock { $0.append(items.count) }
            try await Task.sleep(for: .milliseconds(2))
            return items.map { item in
                guard case .failure(let rejection) = item.content else { return .accepted }
                return .rejected(rejection)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask { () async throws in
                    let own = self.items([number, number + 1_000])
                    #expect(try await batcher.record(own) == self.verdicts(of: own))
                }
            }
            try await group.waitForAll()
        }
        let batches = sizes.withLock { $0 }
        #expect(batches.reduce(0, +) == 600)
        #expect(batches.count < 300)
        #expect(batcher.queuedItemCount == 0)
    }

    @Test("an error while writing reaches every request of the batch, and the next batch is written")
    func errorsReachAll() async throws {
        struct Away: Error {}
        let attempts = Mutex(0)
        let batcher = EventBatcher { items, _ in
            let attempt = attempts.withLock { attempts -> Int in
                attempts += 1
                return attempts
            }
            try await Task.sleep(for: .milliseconds(5))
            guard attempt > 2 else { throw Away() }
            return items.map { _ in .accepted }
        }
        let rejected = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask { (try? await batcher.record(self.items([number]))) == nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        // The first request is written alone or with others; the rest goes with the second batch.
        #expect(rejected == 20)
        #expect(attempts.withLock { $0 } == 2)
        #expect(try await batcher.record(items([1])) == [.accepted])
    }

    @Test("a full queue rejects at once, and what it accepted is written")
    func overload() async throws {
        let gate = Mutex(false)
        let batcher = EventBatcher(
            limits: .init(
                queued: BatchSize(items: 5, bytes: 1_000), batch: BatchSize(items: 5, bytes: 1_000))
        ) { items, _ in
            while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return items.map { _ in .accepted }
        }
        async let first = batcher.record(items([1]))
        async let second = batcher.record(items([2, 3, 4, 5, 6]))
        while batcher.queuedItemCount < 5 { await Task.yield() }
        await #expect(throws: EventBatcherError.overloaded) { try await batcher.record(self.items([7])) }
        gate.withLock { $0 = true }
        #expect(try await first.count == 1)
        #expect(try await second.count == 5)
    }

    @Test("requests of an app that is being moved fail alone")
    func movingApp() async throws {
        let moving = PostgresError.server(
            sqlState: .appMoving, message: "app 7 is being moved", statement: "fence")
        let started = Mutex(false)
        let gate = Mutex(false)
        let written = Mutex(0)
        let shared = SharedQueue(limit: BatchLimits().queued)
        let batcher = EventBatcher(sharing: shared) { items, _ in
            started.withLock { $0 = true }
            while !gate.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            let verdicts: [Verdict] = items.map { _ in .accepted }
            written.withLock { $0 += items.count(where: { $0.appID != 7 }) }
            if items.contains(where: { $0.appID == 7 }) {
                throw MovingApps(errors: [7: moving], verdicts: verdicts)
            }
            return verdicts
        }
        #expect(moving.movingApp == 7)
        // While the first request is written, the others become one batch.
        async let first = batcher.record(items([1]))
        while !started.withLock({ $0 }) { await Task.yield() }
        async let second = batcher.record(items([2, 2]))
        async let third = batcher.record(items([7]))
        async let fourth = batcher.record(items([3]))
        while batcher.queuedItemCount < 4 { await Task.yield() }
        gate.withLock { $0 = true }
        #expect(try await first == [.accepted])
        #expect(try await second == [.accepted, .accepted])
        #expect(try await fourth == [.accepted])
        do {
            _ = try await third
            Issue.record("the request of an app that is being moved was recorded")
        } catch {
            #expect(error as? PostgresError == moving)
        }
        // The items of other apps were written once.
        #expect(written.withLock { $0 } == 4)
        // For a second, nobody else waits for the moving app.
        var remembered = batcher.movingError(of: 7)
        while remembered == nil {
            // This machine took longer than that.
            await #expect(throws: moving) { try await batcher.record(self.items([7])) }
            remembered = batcher.movingError(of: 7)
        }
        #expect(remembered as? PostgresError == moving)
        #expect(batcher.movingError(of: 2) == nil)
        while batcher.movingError(of: 7) != nil { try await Task.sleep(for: .milliseconds(20)) }
        await #expect(throws: moving) { try await batcher.record(self.items([7])) }
    }

    @Test("with several writers at once, every request gets its verdicts", .timeLimit(.minutes(40)))
    func severalWriters() async throws {
        let written = Mutex(0)
        let batcher = EventBatcher(writers: 3) { items, _ in
            written.withLock { $0 += items.count }
            if items.count.isMultiple(of: 2) { await Task.yield() }
            return items.map { item in
                guard case .failure(let rejection) = item.content else { return .accepted }
                return .rejected(rejection)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<64 {
                group.addTask { () async throws in
                    for number in 0..<200 {
                        let own = self.items([client * 1_000 + number])
                        #expect(try await batcher.record(own) == self.verdicts(of: own))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(written.withLock { $0 } == 64 * 200)
        #expect(batcher.queuedItemCount == 0)
    }

    @Test("no items cause no work")
    func empty() async throws {
        let batcher = EventBatcher { _, _ in [] }
        #expect(try await batcher.record([]).isEmpty)
    }
}
