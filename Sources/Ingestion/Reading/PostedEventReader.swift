internal import DeliveryModel

/// Reads one item in one pass: extracts the known fields and skips everything else.
///
/// A malformed item is reported before any invalid field. Of several invalid fields, the same one is always
/// named, whatever their order in the item.
struct PostedEventReader {
    private var json: JSONReader
    var event = PostedEvent()
    private var given = PostedFields()
    private var misfits = PostedFields()

    static func read(_ item: UnsafeRawBufferPointer) throws(ItemRejection) -> PostedEvent {
        var reader = PostedEventReader(json: JSONReader(item))
        try reader.readObject()
        if let field = reader.misfits.first { throw field.misfit }
        return reader.event
    }

    private init(json: JSONReader) { self.json = json }

    private mutating func readObject() throws(ItemRejection) {
        try json.expect(.openBrace)
        if !json.take(.closeBrace) {
            repeat { try readField() } while json.take(.comma)
            try json.expect(.closeBrace)
        }
        try json.expectEnd()
    }

    private mutating func readField() throws(ItemRejection) {
        let key = try json.key()
        guard let field = key.withBytes(PostedField.init(name:)) else { return try json.skipValue() }
        // No one can know which of the two was meant.
        guard given.insert(field) else { throw ItemRejection(.invalidJSON, "\(field.name) is given twice") }
        try read(field)
    }

    // MARK: - Values; null equals absent, for every field

    private mutating func value() throws(ItemRejection) -> PostedValue? {
        switch json.cursor.current {
        case .quote: return .text(try json.text())
        case .openBrace, .openBracket:
            let start = json.cursor.position
            try json.skipValue()
            return .nested(json.cursor.passed(since: start))
        default:
            let word = try json.word()
            return word.isJSON("null") ? nil : .word(word)
        }
    }

    mutating func string(_ field: PostedField) throws(ItemRejection) -> String? { try text(field)?.string }

    /// A label in its canonical form. A number is a name, too: versions and campaigns often are.
    mutating func name(_ field: PostedField) throws(ItemRejection) -> String? {
        switch try value() {
        case nil: return nil
        case .text(let text): return isReadable(text, of: field) ? text.name : nil
        case .word(let word):
            guard word.count <= field.longest, JSONNumber(word) != nil else { return misfit(field) }
            return String(decoding: word, as: UTF8.self)
        case .nested: return misfit(field)
        }
    }

    /// A label that counts as absent if it is empty.
    mutating func label(_ field: PostedField) throws(ItemRejection) -> String? {
        try name(field).flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func text(_ field: PostedField) throws(ItemRejection) -> JSONText? {
        guard let value = try value() else { return nil }
        guard case .text(let text) = value else { return misfit(field) }
        guard field != .token, !isReadable(text, of: field), field.isLabel else { return text }
        return nil
    }

    /// The id that a sender chose. A number, such as a database key, is the text of its digits.
    mutating func id(_ field: PostedField) throws(ItemRejection) -> PostedID? {
        switch try value() {
        case nil: nil
        case .text(let text): isReadable(text, of: field) ? PostedID(text) : nil
        case .word(let word): JSONNumber(word)?.whole.map { PostedID(String($0)) } ?? misfit(field)
        case .nested: misfit(field)
        }
    }

    /// PostgreSQL's `text` cannot hold NUL, and no field needs more characters. Records a fault instead of
    /// throwing it: a missing type is the better reason, and the rest of the item must still be valid JSON.
    private mutating func isReadable(_ text: JSONText, of field: PostedField) -> Bool {
        let longest = field.longest
        // No string has more characters than bytes, so most need not be counted.
        let isTooLong = text.withBytes(\.count) > longest && text.string.unicodeScalars.count > longest
        guard isTooLong || text.containsNUL else { return true }
        guard !field.isLabel else {
            event.unread.insert(field)
            return false
        }
        if let known = event.stringFault, known.field.rawValue < field.rawValue { return false }
        event.stringFault = (
            field,
            isTooLong
                ? ItemRejection(.tooLong, "\(field.name) is longer than \(longest) characters")
                : ItemRejection(.invalidField, "\(field.name) contains a NUL character")
        )
        return false
    }

    /// Reads `reason`: text of any length, or an object, which counts as `error`.
    mutating func readReason() throws(ItemRejection) {
        switch try value() {
        case nil: break
        case .text(let text): event.reason = text.string
        case .word(let word) where JSONNumber(word) != nil:
            event.reason = String(decoding: word, as: UTF8.self)
        case .word: event.unread.insert(.reason)
        case .nested(let bytes): event.error = event.error ?? .json(Array(bytes))
        }
    }

    mutating func error(_ field: PostedField) throws(ItemRejection) -> PostedError? {
        switch try value() {
        case nil: event.error
        case .word(let word) where JSONNumber(word) != nil: .text(String(decoding: word, as: UTF8.self))
        case .word: misfit(field)
        case .text(let text): .text(text.string)
        case .nested(let bytes): .json(Array(bytes))
        }
    }

    /// Accepts a number in a string too: values of headers come that way.
    mutating func whole(_ field: PostedField) throws(ItemRejection) -> Int? {
        switch try value() {
        case nil: return nil
        case .word(let word): return JSONNumber(word)?.whole.map(Int.init) ?? misfit(field)
        case .text(let text):
            guard case .code(let code) = PostedStatus(text: text.string) else { return misfit(field) }
            return code
        case .nested: return misfit(field)
        }
    }

    /// A whole number, or a provider's word: `high` and `normal` (FCM), `very-low` to `high` (Web Push).
    mutating func priority(_ field: PostedField) throws(ItemRejection) -> String? {
        switch try value() {
        case nil: return nil
        case .word(let word): return JSONNumber(word)?.whole.map { String($0) } ?? misfit(field)
        case .text(let text):
            guard isReadable(text, of: field) else { return nil }
            return text.name.lowercased()
        case .nested: return misfit(field)
        }
    }

    mutating func status(_ field: PostedField) throws(ItemRejection) -> PostedStatus? {
        switch try value() {
        case nil: nil
        case .word(let word): JSONNumber(word)?.whole.map { .code(Int($0)) } ?? misfit(field)
        case .text(let text): PostedStatus(text: text.name) ?? misfit(field)
        case .nested: misfit(field)
        }
    }

    /// True or false, also as the providers write it: Apple's payload has 1 and 0, and headers are text.
    mutating func claim(_ field: PostedField) throws(ItemRejection) -> Bool? {
        let word: String
        switch try value() {
        case nil: return nil
        case .word(let bytes):
            if bytes.isJSON("true") { return true }
            word = String(decoding: bytes, as: UTF8.self)
        case .text(let text): word = text.name.lowercased()
        case .nested: return misfit(field)
        }
        switch word {
        case "true", "1": return true
        case "false", "0": return false
        default: return misfit(field)
        }
    }

    mutating func instant(_ field: PostedField) throws(ItemRejection) -> PostedInstant? {
        switch try value() {
        case nil: return nil
        case .text(let text):
            if let instant = Instant(rfc3339: text.string).flatMap(PostedInstant.init) { return instant }
            return instant(field, text.withBytes(JSONNumber.init)) ?? misfit(field)
        case .word(let word): return instant(field, JSONNumber(word)) ?? misfit(field)
        case .nested: return misfit(field)
        }
    }

    private func instant(_ field: PostedField, _ number: JSONNumber?) -> PostedInstant? {
        guard let milliseconds = number?.truncated else { return nil }
        if field == .timestamp { return PostedInstant(providers: Double(milliseconds)) }
        return PostedInstant(Instant(millisecondsSinceEpoch: milliseconds))
    }

    /// Records the misfit instead of throwing, because the rest of the item must still be checked for valid
    /// JSON. An item is recorded without a label that cannot be read.
    private mutating func misfit<Value>(_ field: PostedField) -> Value? {
        if field.isLabel { event.unread.insert(field) } else { misfits.insert(field) }
        return nil
    }
}

private enum PostedValue {
    case text(JSONText)
    case word(UnsafeRawBufferPointer)
    case nested(UnsafeRawBufferPointer)
}
