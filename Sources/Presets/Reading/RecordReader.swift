internal import Basics

/// Reads the records of a body one by one, and counts what it skips.
struct RecordReader {
    private(set) var items: [PresetItem] = []
    private(set) var skipped = 0

    /// - Parameter read: the items of one JSON value; `nil` if it is not about the outcome of a push.
    init(_ body: [UInt8], _ read: (PostedJSON) -> [PresetItem]?) {
        let (values, rest) = JSONCursor.values(in: body)
        for value in values {
            for record in value.elements ?? [value] { add(read(record)) }
        }
        if let rest { items.append(.malformed(rest)) }
    }

    private mutating func add(_ read: [PresetItem]?) {
        guard let read else { return skipped += 1 }
        items += read
    }

    func reading(_ answer: PresetAnswer) -> PresetReading {
        PresetReading(items: items, answer: answer, skipped: skipped)
    }

    /// The answer for senders that expect nothing in particular: how many records were not about a push.
    var reading: PresetReading { reading(.json(#"{"skipped":\#(skipped)}"#)) }
}

extension PresetItem {
    static func malformed(_ posted: [UInt8]) -> PresetItem {
        .unread(
            code: "invalid_json",
            detail:
                "the body is not JSON in UTF-8: compare the sender's configuration with the text of GET on this path",
            posted: posted)
    }

    static func unread(_ code: String, _ detail: String, _ record: PostedJSON) -> PresetItem {
        .unread(code: code, detail: detail, posted: record.withoutContent)
    }
}
