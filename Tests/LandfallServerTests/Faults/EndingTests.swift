import Access
import ChildPrograms
import Dispatch
import FaultProxy
import Foundation
import NIOCore
import PostgresClient
import TestDatabase
import Testing

/// SIGTERM reaches the program while requests are under way and the database is in trouble.
@Suite(.database, .serialized, .timeLimit(.minutes(40))) struct EndingTests {
    private struct Scene: Sendable {
        let proxy: FaultProxy
        let program: StartedServer
        let client: PersistentClient
        let log: URL

        /// Waits for the end of the program and returns its exit code. Waiting for a process blocks.
        func terminated() async -> Int32 {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: program.terminate()) }
            }
        }
    }

    /// Runs the program with a proxy to its database, with one body recorded.
    private func run(_ body: (Scene) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "ending")
        defer { try? folder.remove() }
        let proxy = try FaultProxy(upstream: TestDatabase.current.socketFolder)
        defer { proxy.close() }
        let log = folder.url.appendingPathComponent("server.log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let program = try await StartedServer.start(
            database: proxy.url(database: TestDatabase.current.name), dataFolder: folder.url,
            // So long that only the grace period ends what waits for the database.
            environment: ["LANDFALL_DATABASE_STATEMENT_TIMEOUT": "300"], log: FileHandle(forWritingTo: log))
        defer { program.kill() }
        let (_, keys) = try await TestServer.makeApp("shop")
        let client = PersistentClient(key: try #require(keys[.server]), port: { program.port })
        try await client.post(Storm.body(0))
        try await body(Scene(proxy: proxy, program: program, client: client, log: log))
    }

    /// The number of notifications of these bodies in the database.
    private func recorded(_ bodies: [Int]) async throws -> Int64 {
        let ids = bodies.flatMap { number in
            (0..<Storm.notificationsPerBody).map { notificationID(number * Storm.notificationsPerBody + $0) }
        }
        return try await TestDatabase.current.count(
            "SELECT count(*) FROM landfall.delivery WHERE notification_id = ANY ($1::text[]::uuid[])",
            [.array(ids)])
    }

    @Test("with a slow database, every request with a 200 is recorded and the exit code is 0")
    func slow() async throws {
        try await run { scene async throws in
            scene.proxy.delay(.milliseconds(30))
            let committing = scene.proxy.arm(.beforeCommit, .none)
            let responded = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 1...40 {
                    group.addTask {
                        // Later requests find no server; their client retries for this long.
                        let status = await scene.client.attempt(Storm.body(number), timeout: .seconds(15))
                        return status == 200 ? number : nil
                    }
                }
                for await _ in committing {}
                #expect(await scene.terminated() == 0)
                return try await group.reduce(into: [Int]()) { responded, number in
                    if let number { responded.append(number) }
                }
            }
            #expect(responded.isEmpty == false)
            #expect(try await recorded(responded) == Int64(responded.count * Storm.notificationsPerBody))
        }
    }

    @Test("if the database stops responding, the server ends within its grace and logs what it gave up")
    func stalled() async throws {
        try await run { scene async throws in
            var sprung = scene.proxy.arm(.beforeCommit, .stall).makeAsyncIterator()
            async let status = scene.client.attempt(Storm.body(1))
            _ = await sprung.next()
            #expect(await scene.terminated() == 1)
            #expect(await status == 503)
            let log = try String(contentsOf: scene.log, encoding: .utf8)
            #expect(log.contains("the database did not respond in time"))
            #expect(try await recorded([0]) == Int64(Storm.notificationsPerBody))
        }
    }
}
