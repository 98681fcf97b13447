import ChildPrograms
import Foundation
import Testing

/// The README's blocks that post to a server, run in order by one shell, as if a reader pasted them.
@Suite struct ReadmeTests {
    private static let text = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("README.md")

    private struct Block {
        let language: String
        let text: String
    }

    private static func blocks(below heading: String) throws -> [Block] {
        let text = try String(contentsOf: text, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## \(heading)\n").last)
        let parts = (section.components(separatedBy: "\n## ").first ?? "").components(separatedBy: "```")
        return stride(from: 1, to: parts.count, by: 2).map { index in
            let lines = parts[index].split(separator: "\n", omittingEmptySubsequences: false)
            return Block(
                language: String(lines[0]),
                text: lines.dropFirst().joined(separator: "\n").trimmingCharacters(in: .newlines))
        }
    }

    /// Runs the blocks of shell commands on a fresh server and returns what each of them printed.
    private func run(_ scripts: [String]) async throws -> [String] {
        let folder = try ThrowawayFolder.create(for: "readme")
        defer { try? folder.remove() }
        let programs = LandfallProgram.url.deletingLastPathComponent()
        var environment = ProcessInfo.processInfo.environment
        environment["LANDFALL_DATA"] = folder.url.path
        environment["PATH"] = "\(programs.path):\(environment["PATH"] ?? "")"
        let log = folder.url.appendingPathComponent("log")
        let server = try ChildProgram.start(
            programs.appendingPathComponent("landfall-server"), ["serve", "--port", "0"],
            environment: environment, log: log)
        defer { _ = server.end(patience: .seconds(20)) }
        var address: Substring?
        while address == nil, !server.hasEnded {
            try await Task.sleep(for: .milliseconds(50))
            address = server.output.firstMatch(of: /listens on (http:\/\/127\.0\.0\.1:\d+)\n/)?.1
        }
        let found = try #require(address, "\(server.output)")
        let separator = "----"
        let script = scripts.joined(separator: "\necho; echo \(separator)\n")
            .replacing("http://127.0.0.1:8080", with: found)
        let output = folder.url.appendingPathComponent("shell")
        let shell = try ChildProgram.start(
            URL(fileURLWithPath: "/bin/bash"), ["-euo", "pipefail", "-c", script], environment: environment,
            log: output)
        try await shell.waitUntilEnded()
        return shell.output.components(separatedBy: "\n\(separator)\n").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    @Test(
        "every block that posts gets the response printed below it, or is accepted", .timeLimit(.minutes(40)))
    func posting() async throws {
        let blocks = try Self.blocks(below: "Connect your sender and your app")
        let scripts = blocks.indices.filter {
            blocks[$0].language == "sh" && blocks[$0].text.contains("curl")
        }
        let outputs = try await run(scripts.map { blocks[$0].text })
        #expect(outputs.count == scripts.count)
        for (index, output) in zip(scripts, outputs) {
            let below = blocks.dropFirst(index + 1).first?.text ?? ""
            // Messages with a "type" are requests.
            let expected =
                below.contains(#""type""#)
                ? #"{"accepted":1,"duplicates":0,"errors":[],"rejected":0}"# : below
            // "…" replaces the rest of a sentence.
            let ends = expected.components(separatedBy: "…")
            let response = output.split(separator: "\n").last ?? ""
            #expect(response.hasPrefix(ends[0]) && response.hasSuffix(ends[ends.count - 1]), "\(output)")
        }
    }
}
