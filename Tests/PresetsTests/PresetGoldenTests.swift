import Basics
import Foundation
import Presets
import Testing

@Suite struct PresetGoldenTests {
    private static func goldens() throws -> [PresetGolden] {
        try Preset.all.flatMap { try PresetGolden.all(in: $0.name) }
    }

    @Test(
        "a post becomes the items, the answer and the skips that its sender's golden shows",
        arguments: try goldens())
    func post(_ golden: PresetGolden) throws {
        let preset = try #require(Preset.named(golden.folder))
        let post = PresetPost(headers: [:], body: try golden.posted(), secret: nil, now: PresetGolden.now)
        let reading = preset.read(post)
        try golden.expect(reading.lines)
        for item in reading.items { #expect(!item.showsContent) }
    }

    @Test(
        "what a preset could not read, it reads in the same way when it is posted again",
        arguments: try goldens())
    func replay(_ golden: PresetGolden) throws {
        let preset = try #require(Preset.named(golden.folder))
        let post = PresetPost(headers: [:], body: try golden.posted(), secret: nil, now: PresetGolden.now)
        for item in preset.read(post).items {
            guard case .unread(let code, _, let posted) = item else { continue }
            let again = preset.read(
                PresetPost(headers: [:], body: posted, secret: nil, now: PresetGolden.now)
            ).items
            #expect(again.count == 1)
            guard case .unread(let codeAgain, _, _) = again.first else {
                Issue.record("it could be read the second time")
                continue
            }
            #expect(codeAgain == code)
        }
    }

    @Test("lines of each format become the items that its golden shows")
    func lines() throws {
        for golden in try PresetGolden.all(in: "lines") {
            let format = try #require(LineFormat.allCases.first { golden.name.hasPrefix($0.rawValue) })
            var translator = LineTranslator(format, now: PresetGolden.now)
            var lines: [String] = []
            for (index, line) in try golden.lines().enumerated() {
                let items = translator.read(line: line, number: index + 1)
                lines += items.map { "\(index + 1) \($0.line)" }
                for item in items { #expect(!item.showsContent) }
            }
            try golden.expect(lines + translator.finish().map { "end \($0.line)" })
        }
    }

    @Test("every preset and every format of lines has goldens")
    func complete() throws {
        for preset in Preset.all { #expect(try PresetGolden.all(in: preset.name).count > 10) }
        let lines = try PresetGolden.all(in: "lines").map(\.name)
        for format in LineFormat.allCases { #expect(lines.contains(format.rawValue)) }
    }

    @Test("the setup of every preset contains the address and the key, in at most 20 lines")
    func setup() {
        for preset in Preset.all {
            let text = preset.setup("https://push.example.com/v1/intake/\(preset.name)", "lf_hook_1")
            #expect(text.contains("?key=lf_hook_1") || text.contains("Authorization: Bearer lf_hook_1"))
            #expect(text.contains("https://push.example.com/v1/intake/\(preset.name)"))
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 20)
        }
    }
}
