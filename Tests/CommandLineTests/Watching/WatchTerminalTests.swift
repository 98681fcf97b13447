import ChildPrograms
import DeliveryModel
import Foundation
import Logging
import PostgresClient
import Reports
import TestDatabase
import Testing

@testable import Dashboards

@Suite("landfall watch on a real terminal", .database) struct WatchTerminalTests {
    private struct Left: Decodable {
        let seen: Bool
        let resized: Bool
        let left: Bool
        let status: Int32
        let cursor: Bool
        let wasRaw: Bool
        let same: Bool
        let tail: String
    }

    @Test(
        "fits the window, ends on request, and restores the terminal",
        .timeLimit(.minutes(40)),
        arguments: [("q", 0), ("ctrl-c", 130), ("term", 143), ("hangup", 129)] as [(String, Int32)])
    func ends(how: String, status: Int32) async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        try TestDatabase.current.enterApps()
        let folder = try ThrowawayFolder.create(for: "watch")
        defer { try? folder.remove() }
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let person = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("watch-terminal.py")
        var environment = ProcessInfo.processInfo.environment
        environment["LANG"] = "C.UTF-8"
        environment["TERM"] = "xterm-256color"
        environment.merge(TestDatabase.current.variables) { $1 }
        let play = try ChildProgram.start(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "python3", person.path, how, programs.appendingPathComponent("landfall").path, "watch",
                "--every", "1",
            ], environment: environment, log: folder.url.appendingPathComponent("log"))
        try await play.waitUntilEnded()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let left = try decoder.decode(Left.self, from: Data(play.output.utf8))
        #expect(left.seen && left.resized, "\(left.tail)")
        #expect(left.wasRaw)
        #expect(left.left && left.cursor && left.same, "\(left.tail)")
        #expect(left.status == status, "\(left.tail)")
    }

    @Test("keeps retrying while the database is unavailable")
    func away() async throws {
        let pool = PostgresPool(
            .init(url: "host=/nonexistent", size: 1),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let reader = WatchReader(
            pool: pool, app: HandMadeDay.app, timeZone: .utc, pause: .milliseconds(1), start: .now)
        let (news, teller) = AsyncStream.makeStream(of: WatchNews.self)
        let reading = Task { await reader.run { teller.yield($0) } }
        var troubles = 0
        for await case .trouble(let reason, _) in news {
            #expect(reason.contains("cannot be reached"))
            troubles += 1
            if troubles == 3 { break }
        }
        reading.cancel()
        await reading.value
        try await pool.close()
        #expect(troubles == 3)
    }

    @Test("reads what it shows")
    func reads() async throws {
        try await TestDatabase.current.execute(
            "INSERT INTO landfall.app (slug, created_at) VALUES ('shop', now())")
        let reader = WatchReader(
            pool: TestDatabase.current.pool, app: HandMadeDay.app, timeZone: .utc, pause: .milliseconds(1),
            start: .now)
        let (news, teller) = AsyncStream.makeStream(of: WatchNews.self)
        let reading = Task { await reader.run { teller.yield($0) } }
        var health: TokenHealth?
        for await case .health(let found) in news {
            health = found
            break
        }
        reading.cancel()
        await reading.value
        #expect(health?.audience == 0)
    }
}
