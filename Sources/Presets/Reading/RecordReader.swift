internal import Basics

/// Reads the records of a body one by one, and counts what it skips.
struct RecordReader {
    private(set) var items: [PresetItem] = []
    private(set) var skipped = 0

    /// - Parameter mostItems: it stops as soon as there are more.
    /// - Parameter read: the items of one JSON value; `nil` or none if it is not about the outcome of a push.
    init(_ body: [UInt8], mostItems: Int, _ read: (PostedJSON) -> [PresetItem]?) {
        for record in JSONCursor.records(in: body) {
            let elements = record.elements
            if elements.isEmpty { skipped += 1 }
            for element in elements {
                let read = element.items(read) ?? []
                if read.isEmpty { skipped += 1 }
                items += read
                if items.count > mostItems { return }
            }
        }
    }

    func reading(_ answer: PresetAnswer) -> PresetReading {
        PresetReading(items: items, answer: answer, skipped: skipped)
    }

    /// The answer for senders that expect nothing in particular: how many records were not about a push.
    var reading: PresetReading { reading(.json(#"{"skipped":\#(skipped)}"#)) }
}

extension PresetPost {
    /// As many records as the post may have, and one more: then it is rejected.
    func first<Record>(of records: [Record]) -> ArraySlice<Record> {
        mostItems < records.count ? records[...mostItems] : records[...]
    }
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
