import Basics
import Foundation
import Testing

/// The walk in docs/architecture.md, compared with its files. A length may differ by a tenth, so that a usual
/// edit does not touch the document. `LANDFALL_GOLDEN=write` states all lengths as they are.
@Suite struct WalkTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let document = root.appendingPathComponent("docs/architecture.md")

    /// A row of the walk: a number, the file, and its lines in columns 41 to 45.
    private struct Row {
        let text: String

        init(_ text: some StringProtocol) { self.text = String(text) }

        var file: String { String(text.dropFirst(4).prefix { $0 != " " }) }
        var lines: Int? { Int(text.dropFirst(40).prefix(5).filter(\.isNumber)) }

        func stating(_ lines: Int) -> Row {
            let number = Words.number(Int64(lines))
            let space = String(repeating: " ", count: max(0, 5 - number.count))
            return Row("\(text.prefix(40))\(space)\(number)\(text.dropFirst(45))")
        }
    }

    private func length(of file: String) throws -> Int {
        let names = [
            "Sources/\(file).swift", "Sources/Ingestion/\(file).swift",
            "Sources/LandfallServer/\(file).swift", "sql/\(file)",
        ]
        let texts = names.compactMap {
            try? String(contentsOf: Self.root.appendingPathComponent($0), encoding: .utf8)
        }
        try #require(texts.count == 1, "\(file) is not a file, or is several")
        return texts[0].utf8.count(where: { $0 == UInt8(ascii: "\n") })
    }

    @Test("the walk names files that exist, with their lengths: at most 25 files and 4,000 lines")
    func walk() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        var blocks = text.components(separatedBy: "```")
        let place = try #require(blocks.firstIndex { $0.hasPrefix("\n    file ") })
        let rows = blocks[place].split(separator: "\n").map { Row($0) }
        let (header, steps, total) = (rows[0], rows.dropFirst().dropLast(), rows[rows.count - 1])
        let lengths = try steps.map { try length(of: $0.file) }
        let sum = lengths.reduce(0, +)
        #expect(steps.count <= 25)
        #expect(sum <= 4_000)

        if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" {
            let written = [header] + zip(steps, lengths).map { $0.stating($1) } + [total.stating(sum)]
            blocks[place] = "\n" + written.map { $0.text + "\n" }.joined()
            try Data(blocks.joined(separator: "```").utf8).write(to: Self.document)
            return
        }
        var stated = 0
        for (step, length) in zip(steps, lengths) {
            let lines = try #require(step.lines, "\(step.text)")
            #expect(abs(length - lines) * 10 <= lines, "\(step.file) has \(length) lines, not \(lines)")
            stated += lines
        }
        #expect(total.lines == stated)
        #expect(total.text.hasPrefix("    \(steps.count) files "))
    }
}
