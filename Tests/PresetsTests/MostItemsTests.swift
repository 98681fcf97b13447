import Basics
import Foundation
import Presets
import Testing

@Suite struct MostItemsTests {
    private static let list = "[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]"
    private static let receipts = (0..<1_000).map { #""\#($0)":{}"# }.joined(separator: ",")
    private static let record = #"{"data":"\#(Data(list.utf8).base64EncodedString())"}"#

    @Test(
        "reading stops after one item more than a post may have, wherever the items are",
        arguments: Preset.all.map { ($0.name, list) } + [
            ("gorush", list + list), ("gorush", String(repeating: "{\n", count: 1_000)),
            ("gorush", #"{"logs":\#(list)}"#), ("huawei", #"{"statuses":\#(list)}"#),
            ("expo", #"{"tickets":\#(list)}"#), ("expo", #"{"messages":\#(list),"errors":[{}]}"#),
            ("expo", #"{"receipts":{\#(receipts)}}"#),
            ("sns", #"{"logEvents":[{"message":"\#(list)"},{"message":"\#(list)"}]}"#),
            ("sns", #"{"requestId":"r","records":[\#(record),\#(record)]}"#),
        ])
    func stops(name: String, body: String) throws {
        let post = PresetPost(
            headers: [:], body: Array(body.utf8), secret: nil, now: PresetGolden.now, mostItems: 10)
        #expect(try #require(Preset.named(name)).read(post).items.count == 11)
    }
}
