public import Foundation

/// A real browser without a window. `make setup` installs the program.
public enum Chromium {
    struct NotFound: Error, CustomStringConvertible {
        let description = "chromium is not in PATH: make setup brings it"
    }

    struct Rejected: Error, CustomStringConvertible {
        let output: String
        var description: String { "chromium did not show the page: \(output)" }
    }

    /// Opens a page, lets its script run, and returns the resulting document as text.
    public static func document(of page: URL, profile: URL) throws -> String {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--disable-sync", "--hide-scrollbars",
            "--allow-file-access-from-files", "--user-data-dir=\(profile.path)",
            "--virtual-time-budget=10000",
            "--window-size=1500,1000", "--dump-dom", page.absoluteString,
        ]
        // Debian's wrapper script writes into the home folder.
        process.environment = ProcessInfo.processInfo.environment.merging(["HOME": profile.path]) { $1 }
        let (output, complaints) = (
            profile.appendingPathComponent("dom"), profile.appendingPathComponent("log")
        )
        for file in [output, complaints] {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: complaints)
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: output, encoding: .utf8)
        guard process.terminationStatus == 0, !text.isEmpty else {
            throw Rejected(output: String(try String(contentsOf: complaints, encoding: .utf8).suffix(800)))
        }
        return text
    }

    static func executable() throws -> URL {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = ["chromium", "chromium-browser", "google-chrome"]
            .flatMap { name in folders.map { URL(fileURLWithPath: "\($0)/\(name)") } }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw NotFound() }
        return found
    }
}
