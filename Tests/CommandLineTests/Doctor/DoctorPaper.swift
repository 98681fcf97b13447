import Foundation
import Reports
import Synchronization
import Testing

@testable import Rendering

/// The examples in docs/doctor.md of what the doctor says about simulated days. `LANDFALL_GOLDEN=write`
/// rewrites them: read the difference before committing it.
enum DoctorPaper {
    static let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/doctor.md")
    /// Tests run concurrently.
    private static let lock = Mutex(())

    static func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// Expects these lines in the fence below `<!-- example: name -->`.
    static func expect(_ lines: [String], as name: String) throws {
        let opening = "<!-- example: \(name) -->\n```text\n"
        let shown = lines.joined(separator: "\n") + "\n"
        try lock.withLock { _ in
            let text = try text()
            let start = try #require(text.range(of: opening), "docs/doctor.md has no example \(name)")
                .upperBound
            let end = try #require(text.range(of: "```", range: start..<text.endIndex)).lowerBound
            if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" {
                let written = text.replacingCharacters(in: start..<end, with: shown)
                try Data(written.utf8).write(to: file)
            } else {
                #expect(String(text[start..<end]) == shown)
            }
        }
    }
}
