import Foundation
import Testing

@testable import Ingestion

/// Our reader compared with Foundation's, on random items. Where both differ on purpose, docs/http.md says
/// so, and the test too.
struct EventDifferentialTests {
    @Test("valid items are read as Foundation reads them")
    func validItems() {
        var maker = EventMaker(seed: 1)
        let accepted = (0..<1_500).count { _ in compare(maker.item()) }
        #expect(accepted > 100, "what is rejected alike says little")
    }

    @Test("damaged items are rejected or read as Foundation does")
    func damagedItems() {
        var maker = EventMaker(seed: 2)
        let accepted = (0..<5_000).count { _ in compare(maker.mutated(maker.item())) }
        #expect(accepted > 100, "what is rejected alike says little")
    }

    @Test("a body is cut into the items it was built from, in all its forms")
    func cutBodies() throws {
        var maker = EventMaker(seed: 3)
        for _ in 0..<200 {
            let items = (0..<5).map { _ in maker.item().filter { $0 != UInt8(ascii: "\n") } }
            let trimmed = items.map { text($0).trimmingCharacters(in: .whitespacesAndNewlines) }
            let array =
                Array("[".utf8) + Array(items.joined(separator: [UInt8(ascii: ",")])) + Array("]".utf8)
            #expect(try EventBody(array, isNDJSON: false).items.map(text) == trimmed)
            let lines = Array(items.joined(separator: Array("\r\n".utf8)))
            #expect(try EventBody(lines, isNDJSON: false).items.map(text) == trimmed)
            let cut = try EventBody(lines, isNDJSON: true).items.map(text)
            #expect(cut.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } == trimmed)
        }
    }

    @Test(
        "any body is cut into separate, consecutive items, and every one gets a verdict")
    func damagedBodies() {
        var maker = EventMaker(seed: 4)
        let validator = EventValidator(appID: 1, poster: .device, now: EventReading.now)
        var responses = 0
        for _ in 0..<1_000 {
            let body = maker.mutated(
                Array("[".utf8) + maker.item() + Array(",".utf8) + maker.item() + Array("]".utf8))
            for isNDJSON in [false, true] {
                guard let items = try? EventBody(body, isNDJSON: isNDJSON).items else { continue }
                var end = body.startIndex
                for item in items {
                    #expect(item.startIndex >= end)
                    end = item.endIndex
                    #expect(validator.decode(item).rejection?.detail != "")
                    responses += 1
                }
                #expect(end <= body.endIndex)
            }
        }
        #expect(responses > 1_000)
    }

    private func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Returns whether the item could be read.
    private func compare(_ item: [UInt8]) -> Bool {
        let reading = Result { () throws(ItemRejection) in PostedValues(try EventReading.posted(item)) }
        let reference = EventReference.read(item)
        if !agree(reading, reference), !isExcused(reading, item) {
            Issue.record("\(text(item))\nours: \(reading)\nFoundation's: \(reference)")
        }
        return (try? reading.get()) != nil
    }

    /// Foundation reports another error where we name a field that is given twice or whose value is not JSON
    /// (`01`). In an unknown field, it also does not accept a number that has no `Double`, such as `1e400`.
    private func isExcused(_ reading: Result<PostedValues, ItemRejection>, _ item: [UInt8]) -> Bool {
        guard case .failure(let rejection) = reading else {
            return agree(reading, EventReference.read(EventReference.emptyingOddWords(item)))
        }
        guard rejection != .malformed else { return false }
        return rejection.detail.hasSuffix("is given twice")
            || agree(reading, EventReference.read(EventReference.emptyingOddWords(item)))
    }

    private func agree(
        _ left: Result<PostedValues, ItemRejection>, _ right: Result<PostedValues, ItemRejection>
    ) -> Bool {
        switch (left, right) {
        case (.success(let left), .success(let right)): left.agrees(with: right)
        case (.failure(let left), .failure(let right)): left == right
        default: false
        }
    }
}
