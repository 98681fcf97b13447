import Foundation
import Testing

@testable import Rendering

/// Three pages in full, which between them have every kind of chart, and of all others the outline.
@Suite("The pages of a hand-made day") struct PageGoldenTests {
    private static let inFull = ["funnel-by-campaign", "latency", "waterfall"]

    @Test("are as they are known to be right", arguments: inFull)
    func full(name: String) throws {
        let page = try #require(try PageTests.pages()[name])
        try GoldenFile.expect(text: page.text.withoutStyleSheet, "\(name).html")
    }

    @Test("have their sections, figures, charts and tables in order")
    func outlines() throws {
        let pages = try PageTests.pages().sorted { $0.key < $1.key }
        let outlines = pages.filter { !Self.inFull.contains($0.key) }
            .map { "== \($0.key)\n\(PageOutline(of: $0.value.text).text)" }
        try GoldenFile.expect(text: outlines.joined(separator: "\n"), "outlines.txt")
    }
}

extension String {
    /// The style sheet is a file of its own, and would be in every golden page.
    var withoutStyleSheet: String {
        guard let start = range(of: "<style>"), let end = range(of: "</style>") else { return self }
        return replacingCharacters(in: start.upperBound..<end.lowerBound, with: "…")
    }
}
