import ArgumentParser
import ChildPrograms
import Foundation
import Testing

@testable import Dashboards

/// The program posts to a real server.
@Suite("landfall post", .serialized) struct PostCommandTests {
    private static func event(_ number: Int) -> String {
        let time = Int(Date.now.timeIntervalSince1970 * 1_000)
        return
            #"{"type":"response","notification_id":"\#(UUID())","sent_at":\#(time),"provider":"apns","status":200,"channel":"c\#(number)"}"#
    }

    @Test("posts a file once, and standard input; bad lines are in quarantine", .timeLimit(.minutes(40)))
    func posts() async throws {
        let folder = try ThrowawayFolder.create(for: "post-command")
        defer { try? folder.remove() }
        let data = folder.url.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let server = try await ServerProgram.start(
            try ServerProgram.executable(), dataFolder: data, variables: [:])
        defer { server.stop() }
        var program = LandfallProgram(folder: folder.url, environment: ["LANDFALL_DATA": data.path])
        let key = try program.run("key", "create", "--kind", "server").output
        program.environment["LANDFALL_KEY"] = key.trimmingCharacters(in: .newlines)
        let log = folder.url.appendingPathComponent("events.log")
        try Data(((0..<3).map { Self.event($0) + "\n" } + ["bad line\n"]).joined().utf8).write(to: log)

        let arguments = ["post", log.path, "--from", "events", "--server", server.address, "--json"]
        let first = try program.run(arguments)
        #expect(first.status == 0, "\(first.notes)")
        #expect(first.output.contains(#""accepted": 3"#) && first.output.contains(#""rejected": 1"#))
        #expect(first.notes.contains("Line 4 was rejected"))
        let second = try program.run(arguments)
        #expect(second.status == 0 && second.output.contains(#""lines": 0"#))
        // The place is that of the app, whichever of its keys is used.
        let another = try program.run("key", "create", "--kind", "server").output
        program.environment["LANDFALL_KEY"] = another.trimmingCharacters(in: .newlines)
        #expect(try program.run(arguments).output.contains(#""lines": 0"#))

        let input = try program.run(
            ["post", "--from", "events", "--server", server.address, "--json"],
            input: try String(contentsOf: log, encoding: .utf8))
        #expect(input.output.contains(#""duplicates": 3"#), "\(input.notes)")
        let garbage = try program.run(
            ["post", "--from", "events", "--server", server.address], input: "bad line\n")
        #expect(garbage.status == 1)
        let listed = try program.run("quarantine", "list", "--code", "unread_post", "--show-text")
        #expect(listed.output.contains("bad line"), "\(listed.notes)")

        try await stop(program, server.address)
        program.environment["LANDFALL_KEY"] = "lf_server_unknown"
        let unknown = try program.run(arguments)
        #expect(unknown.status == 1 && unknown.notes.contains("unauthorized"))
    }

    /// A signal is not the end of the input: half of a line is not recorded.
    private func stop(_ program: LandfallProgram, _ server: String) async throws {
        let process = Process()
        process.executableURL = LandfallProgram.url
        process.arguments = ["post", "--from", "events", "--server", server]
        process.environment = ProcessInfo.processInfo.environment.merging(program.environment) { $1 }
        let input = Pipe()
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("a whole line\nhalf of a li".utf8))
        func quarantine() throws -> String {
            try program.run("quarantine", "list", "--code", "unread_post", "--show-text").output
        }
        while try !quarantine().contains("a whole line") { try await Task.sleep(for: .milliseconds(50)) }
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 143)
        #expect(try !quarantine().contains("half of a li"))
    }

    @Test(
        "rejects impossible options before it does anything",
        arguments: [
            [], ["--from", "syslog"], ["--from", "events", "--follow"],
            ["--from", "events", "--key", "lf_device_x"],
            ["a.log", "--from", "events", "--server", "push.example.com"],
            ["--from", "events", "--position", "p.json"],
            ["a.log", "--from", "events", "--server", "http://a", "--profile", "b"],
            ["a.log", "--from", "events", "--patience", "-1"],
        ])
    func mistakes(arguments: [String]) {
        let key = arguments.contains("--key") ? [] : ["--key", "lf_server_x"]
        #expect(throws: (any Error).self) { try PostCommand.parse(arguments + key) }
    }
}
