import Basics
import Foundation
import Reports
import Simulation
import Testing

@testable import ChildPrograms
@testable import Dashboards

@Suite("A program that the demo starts")
struct DemoTests {
    private func start(_ script: String, in folder: URL) throws -> ChildProgram {
        try ChildProgram.start(
            URL(fileURLWithPath: "/bin/sh"), ["-c", script], environment: ["WORD": "hello"],
            log: folder.appendingPathComponent("log"))
    }

    private func waitUntil(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<500 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
        return condition()
    }

    @Test("ends on request, and its output is in the log")
    func ends() async throws {
        let folder = try ThrowawayFolder.create(for: "demo")
        defer { try? folder.remove() }
        let program = try start("echo $WORD; exec sleep 86400", in: folder.url)
        let log = folder.url.appendingPathComponent("log")
        #expect(try await waitUntil { (try? String(contentsOf: log, encoding: .utf8)) == "hello\n" })
        #expect(!program.hasEnded)
        #expect(program.end(patience: .seconds(20)))
        #expect(program.hasEnded)
    }

    @Test("is killed if it ignores the request to end")
    func isKilled() async throws {
        let folder = try ThrowawayFolder.create(for: "demo")
        defer { try? folder.remove() }
        let program = try start("trap '' TERM; echo deaf; while :; do sleep 0.05; done", in: folder.url)
        let log = folder.url.appendingPathComponent("log")
        #expect(try await waitUntil { (try? String(contentsOf: log, encoding: .utf8)) == "deaf\n" })
        #expect(!program.end(patience: .milliseconds(200)))
        #expect(program.hasEnded)
    }

    @Test("is named if it does not exist")
    func missing() throws {
        let folder = try ThrowawayFolder.create(for: "demo")
        defer { try? folder.remove() }
        let nowhere = folder.url.appendingPathComponent("landfall-server")
        #expect(
            throws: ChildProgramError.notStarted(program: nowhere.path, reason: "No such file or directory")
        ) {
            try ChildProgram.start(
                nowhere, [], environment: [:], log: folder.url.appendingPathComponent("log"))
        }
        #expect(ServerProgramError.missing(path: "/x/landfall-server").description.contains("swift build"))
    }

    @Test("leaves nothing of its folder, not even the target of a link in it")
    func folder() throws {
        let elsewhere = try ThrowawayFolder.create(for: "demo")
        let folder = try ThrowawayFolder.create(for: "demo")
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("cluster"), withDestinationURL: elsewhere.url)
        try folder.remove()
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
        #expect(!FileManager.default.fileExists(atPath: elsewhere.url.path))
    }

    @Test("prints its address on a line of its own")
    func address() {
        let line = "Landfall listens on http://127.0.0.1:40321"
        #expect(ServerProgram.address(in: "migrated\n\(line)\nDatabase: …") == "http://127.0.0.1:40321")
        #expect(ServerProgram.address(in: "\(line)\n") == "http://127.0.0.1:40321")
        #expect(ServerProgram.address(in: line) == nil)
        #expect(ServerProgram.address(in: "") == nil)
    }
}

@Suite("Demo output for copying")
struct DemoCommandTests {
    @Test("has the window of its traffic")
    func window() throws {
        #expect(
            try ReportWindow(of: SimulatedDay.traffic.truth).options == "--from 2026-03-01 --to 2026-03-02")
        let window = try ReportWindow(of: SimulationSettings(start: SimulatedDay.start, hours: 12))
        #expect(window.options == "--from 2026-03-01 --to 2026-03-01T12:00:00Z")
    }

    @Test(
        "is quoted as one word for the shell",
        arguments: [
            ("/tmp/landfall-demo-1a", "/tmp/landfall-demo-1a"), ("/tmp/a b", "'/tmp/a b'"),
            ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("", "''"), ("~", "'~'"), ("é", "'é'"),
        ])
    func word(text: String, expected: String) {
        #expect(shellWord(text) == expected)
    }
}
