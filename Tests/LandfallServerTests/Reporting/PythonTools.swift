import ChildPrograms
import Foundation

/// Programs from PyPI that read `/openapi.yaml`. `make setup` installs them.
enum PythonTools {
    struct NotFound: Error, CustomStringConvertible {
        let program: String
        var description: String {
            "\(program) is not in .build-tools/python: make setup brings it, where there is PyPI"
        }
    }

    struct Ending {
        let isFine: Bool
        let output: String
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let programs = folder.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent(".build-tools/python/bin")

    /// Runs a program in a folder to its end.
    static func run(
        _ name: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) async throws -> Ending {
        let program = programs.appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw NotFound(program: name)
        }
        let inherited = ProcessInfo.processInfo.environment
        let path = "\(programs.path):\(inherited["PATH"] ?? "")"
        let child = try ChildProgram.start(
            // A child process does not report its exit code; its shell writes it down.
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", #"cd "$0" && "$@"; echo "exit code $?""#, folder.path, program.path] + arguments,
            environment: inherited.merging(["PATH": path, "NO_COLOR": "1", "COLUMNS": "160"]) { $1 }
                .merging(environment) { $1 },
            log: folder.appendingPathComponent("log"))
        try await child.waitUntilEnded()
        return Ending(isFine: child.output.hasSuffix("exit code 0\n"), output: child.output)
    }
}
