import ChildPrograms
import Foundation
import Testing

/// The program and its private PostgreSQL when a terminal closes or SIGHUP arrives.
@Suite struct HangUpTests {
    private struct Left: Decodable {
        let survived: Bool
        let status: Int32
        let leavesPostmaster: Bool
    }

    @Test(
        "a closed terminal stops server and database; SIGHUP without a terminal or under nohup does nothing",
        .timeLimit(.minutes(40)),
        arguments: [("terminal", false), ("early", false), ("nohup", true), ("detached", true)])
    func hangUp(how: String, survives: Bool) async throws {
        let folder = try ThrowawayFolder.create(for: "hangup")
        defer { try? folder.remove() }
        let server = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("landfall-server")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("server-signals.py")
        var environment = ProcessInfo.processInfo.environment
        environment["LANDFALL_DATA"] = folder.url.path
        let play = try ChildProgram.start(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["python3", script.path, how, folder.url.path, server.path, "serve", "--port", "0"],
            environment: environment, log: folder.url.appendingPathComponent("log"))
        try await play.waitUntilEnded()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let left = try #require(
            try? decoder.decode(
                Left.self, from: Data((play.lastLines.split(separator: "\n").last ?? "").utf8)),
            "\(play.output)")
        #expect(left.survived == survives)
        #expect(left.status == 0)
        #expect(!left.leavesPostmaster)
    }
}
