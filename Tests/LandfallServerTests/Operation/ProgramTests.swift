import Foundation
import TestDatabase
import Testing

/// The output and exit code of a program that does not start.
@Suite(.database) struct ProgramTests {
    private struct Ending {
        let status: Int32
        let output: String
        let complaints: String
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "landfall-program-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("landfall-server")
        process.arguments = arguments
        process.environment = ["LANDFALL_DATA": folder.path].merging(environment) { _, new in new }
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        // The output is short: its pipe does not fill up while complaints are read.
        let texts = try [complaints, output].map { try $0.fileHandleForReading.readToEnd() ?? Data() }
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, output: String(decoding: texts[1], as: UTF8.self),
            complaints: String(decoding: texts[0], as: UTF8.self))
    }

    @Test("wrong settings end the program with 64 and one line each", arguments: ["serve", "config"])
    func wrongSettings(command: String) throws {
        let ending = try run([command, "--port", "x"], ["LANDFALL_LOG_LEVEL": "loud"])
        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        let lines = ending.complaints.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("flag --port: ") == true)
        #expect(lines.last?.hasPrefix("environment LANDFALL_LOG_LEVEL: ") == true)
    }

    @Test("config prints settings, hides secrets and writes its warnings elsewhere")
    func config() throws {
        let ending = try run(
            ["config", "--database", "postgres://u:s3cret@h/db"],
            ["LANDFALL_PROT": "1", "LANDFALL_LOG_ACCESS": "on"])
        #expect(ending.status == 0)
        #expect(ending.output.firstMatch(of: /postgres:\/\/u:\*\*\*@h\/db +flag --database/) != nil)
        #expect(ending.output.contains("environment LANDFALL_LOG_ACCESS"))
        #expect(!ending.output.contains("s3cret"))
        #expect(ending.complaints.contains("did you mean LANDFALL_PORT?"))
    }

    @Test("a database that may lose commits is rejected with exit code 3")
    func unsafeDatabase() throws {
        let ending = try run(["serve", "--port", "0"], TestDatabase.current.variables)
        #expect(ending.status == 3)
        #expect(ending.output.isEmpty)
        #expect(ending.complaints.contains("fsync off"))
    }

    @Test("the log names what runs, and does not print what it holds")
    func services() throws {
        let arguments = ["serve", "--host", "203.0.113.1", "--port", "0", "--log-level", "trace"]
        let variables = TestDatabase.current.variables
        let ending = try run(
            arguments, variables.merging(["LANDFALL_DATABASE_ALLOW_UNSAFE": "true"]) { $1 })
        #expect(ending.status != 0)
        #expect(ending.complaints.contains("DatabaseWatch"), "\(ending.complaints.suffix(2_000))")
        for line in ending.complaints.split(separator: "\n") {
            #expect(line.utf8.count < 2_000, "\(line.prefix(200))")
        }
    }
}
