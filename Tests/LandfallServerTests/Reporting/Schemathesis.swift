import ChildPrograms
import Foundation

/// Makes up requests from `/openapi.yaml`, sends them, and checks the answers. `make setup` brings the program.
enum Schemathesis {
    struct NotFound: Error, CustomStringConvertible {
        let description =
            "schemathesis is not in .build-tools/python: make setup brings it, where there is PyPI"
    }

    struct Ending {
        let isFine: Bool
        let output: String
    }

    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Asks the server at a port with one key about the operations with these tags.
    static func check(port: Int, key: String, tags: [String]) async throws -> Ending {
        let program = package.appendingPathComponent(".build-tools/python/bin/schemathesis")
        guard FileManager.default.isExecutableFile(atPath: program.path) else { throw NotFound() }
        let settings = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("schemathesis.toml")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "landfall-schemathesis-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let arguments =
            [program.path, "--config-file", settings.path, "run", "http://127.0.0.1:\(port)/openapi.yaml"]
            + tags.flatMap { ["--include-tag", $0] }
        let child = try ChildProgram.start(
            // Nobody is told how a child ended; its shell writes it down.
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", #"cd "$0" && "$@"; echo "exit code $?""#, folder.path] + arguments,
            environment: ProcessInfo.processInfo.environment.merging(
                ["LANDFALL_TEST_KEY": key, "NO_COLOR": "1", "COLUMNS": "160"]) { _, new in new },
            log: folder.appendingPathComponent("log"))
        try await child.waitUntilEnded()
        return Ending(isFine: child.output.hasSuffix("exit code 0\n"), output: child.output)
    }
}
