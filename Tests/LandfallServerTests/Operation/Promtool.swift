import Foundation

/// Prometheus' own check of the text of `/metrics`. `make setup` installs the program.
enum Promtool {
    struct NotFound: Error, CustomStringConvertible {
        let description = "promtool is neither in PATH nor in .build-tools: make setup brings it"
    }

    /// Returns the exit status and the complaints.
    static func check(_ text: String) throws -> (status: Int32, complaints: String) {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let complaints = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: complaints, as: UTF8.self))
    }

    private static func executable() throws -> URL {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)) }
        let found = ([package.appendingPathComponent(".build-tools")] + folders)
            .map { $0.appendingPathComponent("promtool") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw NotFound() }
        return found
    }
}
