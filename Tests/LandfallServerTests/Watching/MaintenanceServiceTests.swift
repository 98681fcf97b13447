import Access
import Logging
import Maintenance
import PostgresClient
import ServiceLifecycle
import Synchronization
import TestDatabase
import Testing

@testable import LandfallServer

@Suite(.database) struct MaintenanceServiceTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs the service until it has done `runs` runs, then shuts the group down and waits for its end.
    private func serve(_ pool: PostgresPool, runs: Int, interval: Duration) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let service = MaintenanceService(
            pool: pool, maintenance: Maintenance(), interval: interval, logger: logger,
            afterEachRun: { end.yield() })
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        async let running: Void = group.run()
        var iterator = ends.makeAsyncIterator()
        for _ in 0..<runs { await iterator.next() }
        await group.triggerGracefulShutdown()
        try await running
    }

    @Test("the service maintains the database when it starts, and stops at once on request")
    func atStart() async throws {
        // An hour until the next run: only a shutdown that interrupts the waiting lets this test end.
        try await serve(TestDatabase.current.pool, runs: 1, interval: .seconds(3_600))
        let partitions = try await TestDatabase.current.count(
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'landfall.delivery'::regclass")
        #expect(partitions == 8)
    }

    @Test("an unavailable database ends neither the service nor the server")
    func away() async throws {
        let pool = PostgresPool(.init(url: "host=/nonexistent", size: 1), logger: logger)
        try await serve(pool, runs: 3, interval: .milliseconds(1))
        try await pool.close()
    }

    @Test("a lock held by another session is no error: the next run tries again")
    func locked() async throws {
        let other = try TestDatabase.current.connect()
        let held = try #require(try other.hold(.maintenance))
        try await serve(TestDatabase.current.pool, runs: 2, interval: .milliseconds(1))
        held.release()
        try await serve(TestDatabase.current.pool, runs: 1, interval: .milliseconds(1))
        let partitions = try await TestDatabase.current.count(
            "SELECT count(*) FROM pg_inherits WHERE inhparent = 'landfall.delivery'::regclass")
        #expect(partitions == 8)
    }

    @Test("findings are recorded between two runs as well, as often as counters are folded")
    func findings() async throws {
        let database = TestDatabase.current
        try await database.pool.withConnection { connection in
            _ = try AppDirectory(connection).createApp(slug: "shop", at: .now)
        }
        let runs = Mutex(0)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let service = MaintenanceService(
            pool: database.pool, maintenance: Maintenance(), interval: .seconds(12), logger: logger,
            afterEachRun: {
                runs.withLock { $0 += 1 }
                end.yield()
            })
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        async let running: Void = group.run()
        for await _ in ends { break }
        #expect(try await database.count("SELECT count(*) FROM landfall.finding_episode") == 0)
        try await database.openBreaker(of: "shop")
        try await database.wait(until: "SELECT count(*) FROM landfall.finding_episode")
        #expect(runs.withLock(\.self) == 1)
        await group.triggerGracefulShutdown()
        try await running
    }
}
