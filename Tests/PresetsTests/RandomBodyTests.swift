import Basics
import Foundation
import Presets
import Testing

/// Posts that are damaged at random.
@Suite struct RandomBodyTests {
    @Test("a damaged byte makes no record disappear", arguments: Preset.all.map(\.name))
    func damage(name: String) throws {
        let preset = try #require(Preset.named(name))
        var random = SeededRandom(seed: 17)
        for golden in try PresetGolden.all(in: name) {
            let body = try golden.posted()
            let whole = read(body, preset)
            // A post of Customer.io is one record, and has an item for each recipient.
            let number = min(whole.items.count + whole.skipped, name == "customerio" ? 1 : .max)
            for _ in 0..<5 where !body.isEmpty {
                var damaged = body
                let position = Int.random(in: damaged.indices, using: &random)
                // A letter for a letter: brackets and commas decide how many records there are.
                guard UInt8(ascii: "a")...UInt8(ascii: "z") ~= damaged[position] else { continue }
                damaged[position] = UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random)
                let reading = read(damaged, preset)
                #expect(
                    reading.items.count + reading.skipped >= number || reading.keepsRest,
                    "\(golden.testDescription), damaged at \(position): \(reading.lines)")
            }
        }
    }

    @Test(
        "a body that is cut off is read up to there, and the rest is kept", arguments: Preset.all.map(\.name))
    func cut(name: String) throws {
        let preset = try #require(Preset.named(name))
        for golden in try PresetGolden.all(in: name) {
            let body = try golden.posted()
            let text = body.reversed().drop { [0x0A, 0x20].contains($0) }.reversed()
            guard JSONSerialization.isObject(Data(text)), text.count > 2 else { continue }
            for length in stride(from: 2, to: text.count - 1, by: 41) {
                let reading = read(Array(text.prefix(length)), preset)
                guard case .unread("invalid_json", _, let rest)? = reading.items.last else {
                    Issue.record("\(golden.testDescription), cut at \(length): \(reading.lines)")
                    continue
                }
                #expect(Array(text.prefix(length)).suffix(rest.count).elementsEqual(rest))
            }
        }
    }

    @Test("a malformed line hides no record after it", arguments: Preset.all.map(\.name))
    func malformedLine(name: String) throws {
        let preset = try #require(Preset.named(name))
        let line = Array("{\"half\":\n".utf8)
        for golden in try PresetGolden.all(in: name) {
            let body = try golden.posted()
            let whole = read(body, preset)
            // Not one with a byte order mark, which may only begin a body.
            guard body.first == UInt8(ascii: "{"), !whole.items.contains(where: \.isMalformed) else {
                continue
            }
            let reading = read(body + [0x0A] + line + body, preset)
            let between = reading.items.dropFirst(whole.items.count).dropLast(whole.items.count)
            #expect(between.map(\.posted) == [line], "\(golden.testDescription): \(reading.lines)")
            #expect(reading.items.starts(with: whole.items))
            #expect(reading.items.suffix(whole.items.count).elementsEqual(whole.items))
            #expect(reading.skipped == 2 * whole.skipped)
        }
    }

    private func read(_ body: [UInt8], _ preset: Preset) -> PresetReading {
        preset.read(PresetPost(headers: [:], body: body, secret: nil, now: PresetGolden.now))
    }
}

extension PresetItem {
    fileprivate var isMalformed: Bool {
        guard case .unread("invalid_json", _, _) = self else { return false }
        return true
    }
}

extension PresetReading {
    /// Whether an item is a part that could not be taken apart, or the only one is the whole post.
    fileprivate var keepsRest: Bool {
        items.contains {
            guard case .unread(let code, _, _) = $0 else { return false }
            return ["invalid_json", "unread_post"].contains(code) || items.count == 1
        }
    }
}

extension PresetItem {
    /// The text of what could not be read; `nil` of an event.
    fileprivate var posted: [UInt8]? {
        guard case .unread("invalid_json", _, let posted) = self else { return nil }
        return posted
    }
}

extension JSONSerialization {
    fileprivate static func isObject(_ data: Data) -> Bool {
        (try? jsonObject(with: data)) is [String: Any]
    }
}
