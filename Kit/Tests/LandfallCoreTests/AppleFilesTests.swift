import Foundation
import Testing

/// Files that only Apple's compilers see cannot be tested here, so there should be little in them.
@Suite struct AppleFilesTests {
    @Test("files for Apple's frameworks alone have fewer than 400 lines in all")
    func lines() throws {
        let kit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sources = kit.appendingPathComponent("Sources")
        let paths = try #require(FileManager.default.enumerator(atPath: sources.path))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        let apples = try paths.map {
            try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8)
        }.filter { $0.hasPrefix("#if canImport(") || $0.hasPrefix("#if os(iOS)") }
        #expect(apples.count >= 7)
        #expect(
            apples.map { $0.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }.reduce(0, +)
                < 400)
    }
}
