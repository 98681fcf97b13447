import ChildPrograms
import Foundation
import TestDatabase
import Testing

/// Runs every command that README and docs tell people to type.
@Suite(.databaseForLong, .oneCell("the documents are about one database"))
struct DocumentedCommandTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Commands that do not end by themselves, and the tests that run them instead.
    private static let elsewhere = [
        "landfall demo": "DemoRunTests", "landfall watch": "WatchTerminalTests",
        "landfall simulate": "SimulateCommandTests", "landfall backup": "BackupTests",
        "landfall restore": "BackupTests", "landfall config set": "RemoteReportTests",
        "landfall completions": "RemoteReportTests", "landfall post": "PostCommandTests",
        "landfall funnel --from 7d --profile": "RemoteReportTests",
        "landfall cell add": "CellCommandTests", "landfall app create shop --cell": "CellCommandTests",
        "landfall cell move": ".ci/citus", "landfall mirror": "MirrorKillTests",
    ]

    /// A line of a document that begins with the program's name.
    struct Command: CustomTestStringConvertible {
        let document: String
        let line: String

        /// The words without the remark, which follows two spaces or a `#`.
        var words: [String] {
            var text = line
            for end in ["  ", " #"] {
                text = String(text.prefix(upTo: text.range(of: end)?.lowerBound ?? text.endIndex))
            }
            return text.split(separator: " ").map { $0.trimmingCharacters(in: ["'", "\""]) }
        }

        var testDescription: String { "\(document): \(line)" }
    }

    private static func commands() throws -> [Command] {
        let documents = try ["docs", "docs/connect"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/\(folder)")
                .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
        }
        return try (["README.md"] + documents).flatMap { document in
            let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
            return lines(inBlocksOf: text).map { Command(document: document, line: $0) }
        }
    }

    private static func lines(inBlocksOf text: String) -> [String] {
        var isInBlock = false
        var found: [String] = []
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("```") { isInBlock.toggle() }
            let command = line.hasPrefix("$ ") ? String(line.dropFirst(2)) : line
            // In a program, it may also be the name of a variable.
            if isInBlock, command.hasPrefix("landfall "), !command.contains(" = "), !command.contains(" := ")
            {
                found.append(command)
            }
        }
        return found
    }

    @Test("every command that README and docs show works", .timeLimit(.minutes(40)))
    func allWork() async throws {
        let folder = try ThrowawayFolder.create(for: "documented")
        defer { try? folder.remove() }
        let shell = Shell(folder: folder.url, database: TestDatabase.current.variables)
        try await shell.prepare()
        let commands = try Self.commands()
        #expect(commands.count > 30)
        for command in commands where Self.isTried(command) {
            let result = try await shell.run(Array(command.words.dropFirst()))
            // PostgreSQL from elsewhere (make test POSTGRES_BIN=…) may lack the extension.
            if result.output.contains("does not have the extension hll") { continue }
            #expect(result.status == 0, "\(command.testDescription)\n\(result.output)")
        }
    }

    private static func isTried(_ command: Command) -> Bool {
        !elsewhere.keys.contains { command.line.hasPrefix($0) }
    }
}

/// Runs `landfall` as a reader would who has followed the README up to this point.
private struct Shell {
    struct Result {
        let status: Int32
        let output: String
    }

    let folder: URL
    /// The variables that name the database.
    let database: [String: String]

    /// Creates an app, a table of tokens and another token key.
    func prepare() async throws {
        // Dated today: otherwise a sweep would find the whole audience silent and be rejected.
        let today = Date.now.formatted(.iso8601)
        let registration = "80f4d1a6c3\(String(repeating: "00", count: 27)),\(today),u1\n"
        try Data("value,registered_at,account\n\(registration)".utf8).write(to: file("tokens.csv"))
        try Data(Self.key(8).utf8).write(to: file("next.key"))
        let created = try await run(["app", "create", "shop"])
        #expect(created.status == 0, "\(created.output)")
    }

    private static func key(_ byte: UInt8) -> String {
        Data(repeating: byte, count: 32).base64EncodedString()
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func run(_ arguments: [String]) async throws -> Result {
        let log = file("log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("landfall")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(database) { $1 }.merging([
            "LANDFALL_DATA": file("data").path, "NO_COLOR": "1",
            // The tests' cluster runs without fsync.
            "LANDFALL_DATABASE_ALLOW_UNSAFE": "true", "LANDFALL_TOKEN_KEY": Self.key(7),
        ]) { $1 }
        let output = try FileHandle(forWritingTo: log)
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try output.close()
        return Result(status: status, output: try String(contentsOf: log, encoding: .utf8))
    }
}
