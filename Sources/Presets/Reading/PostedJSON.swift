internal import Basics

/// A JSON value as a sender posted it: numbers keep their text, so that no id loses digits.
enum PostedJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([PostedJSON])
    case object([Member])

    struct Member: Hashable, Sendable {
        let key: String
        let value: PostedJSON
    }

    /// The member of an object; `nil` if there is none, or it is null. Of equal names, the last counts.
    subscript(_ key: String) -> PostedJSON? {
        guard case .object(let members) = self, let value = members.last(where: { $0.key == key })?.value,
            value != .null
        else { return nil }
        return value
    }

    /// A string without white space at its ends, or the text of a number; `nil` if empty or anything else.
    var text: String? {
        switch self {
        case .string(let text): text.trimmed
        case .number(let text): text
        default: nil
        }
    }

    /// A whole number, also as digits in a string; `nil` if it does not fit into 64 bits.
    var integer: Int64? {
        guard let text else { return nil }
        if let whole = Int64(text) { return whole }
        guard let number = Double(text), number.rounded() == number, number.magnitude < 1e15 else {
            return nil
        }
        return Int64(number)
    }

    /// Seconds since 1970, also with a fraction, as an instant; `nil` before 2001 and after 2199, where other
    /// units would be.
    var secondsSinceEpoch: Instant? {
        guard let seconds = text.flatMap({ Double($0) }), (1e9..<7_258_118_400).contains(seconds) else {
            return nil
        }
        return Instant(millisecondsSinceEpoch: Int64((seconds * 1_000).rounded()))
    }

    var elements: [PostedJSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// Members whose values are what the push showed or carried, as a text or as one per language. They are
    /// never kept.
    private static let content: Set = [
        "message", "title", "subtitle", "body", "content", "contents", "heading", "headings", "alert",
        "subject",
        "message.title", "message.contents",
    ]

    /// The document on one line, for the quarantine: without what the push showed, in objects of any depth.
    var withoutContent: [UInt8] { Array(written(leavingOut: Self.content).utf8) }

    /// The document on one line.
    var written: String { written(leavingOut: []) }

    private func written(leavingOut names: Set<String>) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return JSONValue.string(text).lineText
        case .array(let elements):
            return "[" + elements.map { $0.written(leavingOut: names) }.joined(separator: ",") + "]"
        case .object(let members):
            let kept = members.filter { !names.contains($0.key) }
            return "{"
                + kept.map { JSONValue.string($0.key).lineText + ":" + $0.value.written(leavingOut: names) }
                .joined(separator: ",") + "}"
        }
    }
}

/// One of the values or lines of a body.
enum PostedRecord: Hashable, Sendable {
    case value(PostedJSON)
    case malformed([UInt8])

    var isRead: Bool {
        if case .value = self { true } else { false }
    }

    /// The elements of an array; anything else is the only one.
    var elements: [PostedRecord] {
        guard case .value(.array(let elements)) = self else { return [self] }
        return elements.map(PostedRecord.value)
    }

    /// - Parameter read: the items of a value; `nil` if it is not about the outcome of a push.
    func items(_ read: (PostedJSON) -> [PresetItem]?) -> [PresetItem]? {
        switch self {
        case .value(let value): read(value)
        case .malformed(let text): [.malformed(text)]
        }
    }
}

extension String {
    /// Without white space at the ends; `nil` if nothing is left.
    var trimmed: String? {
        let kept = drop(while: \.isWhitespace)
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(kept[...last])
    }
}
