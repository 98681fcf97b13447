import Basics
import Foundation
import Presets
import Testing

/// Posts that are damaged at random.
@Suite struct RandomBodyTests {
    @Test("no damage to a body makes a record disappear", arguments: Preset.all.map(\.name))
    func damage(name: String) throws {
        let preset = try #require(Preset.named(name))
        var random = SeededRandom(seed: 17)
        for golden in try PresetGolden.all(in: name) {
            let body = try golden.posted()
            guard !body.isEmpty else { continue }
            for _ in 0..<20 {
                var damaged = body
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
                damaged.removeLast(Int.random(in: 0...min(9, damaged.count), using: &random))
                let post = PresetPost(headers: [:], body: damaged, secret: nil, now: PresetGolden.now)
                let reading = preset.read(post)
                let isBlank = damaged.allSatisfy { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
                // Only these two say nothing: an array without elements, and Huawei's without receipts.
                if reading.items.isEmpty, reading.skipped == 0, !isBlank {
                    #expect(["no-receipts"].contains(golden.name) || damaged.contains(UInt8(ascii: "[")))
                }
            }
        }
    }
}
