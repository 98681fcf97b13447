import Foundation
import Testing

/// A text known to be right, in the folder `Golden` next to the test. `LANDFALL_GOLDEN=write` rewrites it:
/// read the difference before committing it.
enum GoldenFile {
    static func expect(_ lines: [String], _ name: String, test: String = #filePath) throws {
        try expect(text: lines.map { $0 + "\n" }.joined(), name, test: test)
    }

    static func expect(text: String, _ name: String, test: String = #filePath) throws {
        let file = URL(fileURLWithPath: test).deletingLastPathComponent()
            .appendingPathComponent("Golden/\(name)")
        if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" {
            try Data(text.utf8).write(to: file)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let known = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let told = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(told.count == known.count)
        for (line, expected) in zip(told, known) { #expect(line == expected) }
    }
}
