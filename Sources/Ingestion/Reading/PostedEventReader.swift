internal import Instants

/// Reads one item in one pass: extracts the known fields and skips everything else.
///
/// A malformed item is reported before any invalid field. Of several invalid fields, the same one is always named, whatever their
/// order in the item.
struct PostedEventReader {
    private var json: JSONReader
    private var event = PostedEvent()
    private var given = PostedFields()
    private var misfits = PostedFields()

    static func read(_ item: UnsafeRawBufferPointer) throws(ItemRejection) -> PostedEvent {
        var reader = PostedEventReader(json: JSONReader(item))
        try reader.readObject()
        if let field = reader.misfits.first { throw field.misfit }
        return reader.event
    }

    private init(json: JSONReader) {
        self.json = json
    }

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
        guard given.insert(field) else {
            throw ItemRejection(.invalidJSON, "\(field.name) is given twice")
        }
        try read(field)
    }

    private mutating func read(_ field: PostedField) throws(ItemRejection) {
        switch field {
        case .type: event.type = try string(field)
        case .notificationID: event.notificationID = try text(field).map(PostedUUID.init)
        case .messageID: event.messageID = try text(field).map(PostedUUID.init)
        case .sentAt: event.sentAt = try instant(field)
        case .provider: event.provider = try string(field)
        case .status: event.status = try status(field)
        case .reason: event.reason = try string(field)
        case .timestamp: event.timestamp = try instant(field)
        case .token: event.token = try string(field)
        case .deviceID: event.deviceID = try text(field).map(PostedUUID.init)
        case .channel: event.channel = try string(field)
        case .environment: event.environment = try string(field)
        case .topic: event.topic = try string(field)
        case .pushType: event.pushType = try string(field)
        case .priority: event.priority = try whole(field)
        case .mutableContent: event.mutableContent = try claim(field)
        case .collapseID: event.collapseID = try string(field)
        case .expiresAt: event.expiresAt = try instant(field)
        case .campaign: event.campaign = try string(field)
        case .variant: event.variant = try string(field)
        case .tokenKind: event.tokenKind = try string(field)
        case .occurredAt: event.occurredAt = try instant(field)
        case .reportedAt: event.reportedAt = try instant(field)
        case .action: event.action = try string(field)
        case .source: event.source = try string(field)
        case .error: event.error = try error(field)
        case .final: event.final = try claim(field)
        case .tokenMalformed: event.tokenMalformed = try claim(field)
        case .appVersion: event.appVersion = try string(field)
        case .receipt: event.receipt = try string(field)
        case .evidence: event.evidence = try string(field)
        case .category: event.category = try string(field)
        case .appState: event.appState = try string(field)
        case .hasText: event.hasText = try claim(field)
        case .kit: event.kit = try string(field)
        case .outcome: event.outcome = try string(field)
        case .shared: event.shared = try claim(field)
        case .dropped: event.dropped = try whole(field)
        }
    }
}

// MARK: - Values; null equals absent, for every field

extension PostedEventReader {
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

    private mutating func string(_ field: PostedField) throws(ItemRejection) -> String? {
        try text(field)?.string
    }

    private mutating func text(_ field: PostedField) throws(ItemRejection) -> JSONText? {
        guard let value = try value() else { return nil }
        guard case .text(let text) = value else { return misfit(field) }
        if field != .token { check(text, of: field) }
        return text
    }

    /// PostgreSQL's `text` cannot hold NUL, and no field needs more than 255 characters. Records a fault instead of throwing it:
    /// a missing type is the better reason, and the rest of the item must still be valid JSON.
    private mutating func check(_ text: JSONText, of field: PostedField) {
        if let known = event.stringFault, known.field.rawValue < field.rawValue { return }
        let longest = EventValidator.longestString
        // No string has more characters than bytes, so most need not be counted.
        if text.withBytes(\.count) > longest, text.string.unicodeScalars.count > longest {
            let rejection = ItemRejection(.tooLong, "\(field.name) is longer than \(longest) characters")
            event.stringFault = (field, rejection)
        } else if case .unescaped(let bytes) = text, bytes.contains(0) {
            event.stringFault = (
                field, ItemRejection(.invalidField, "\(field.name) contains a NUL character")
            )
        }
    }

    /// Accepts a number in a string too: values of headers come that way.
    private mutating func whole(_ field: PostedField) throws(ItemRejection) -> Int? {
        switch try value() {
        case nil: return nil
        case .word(let word): return JSONNumber(word)?.whole.map(Int.init) ?? misfit(field)
        case .text(let text):
            guard case .code(let code) = PostedStatus(text: text.string) else { return misfit(field) }
            return code
        case .nested: return misfit(field)
        }
    }

    private mutating func status(_ field: PostedField) throws(ItemRejection) -> PostedStatus? {
        switch try value() {
        case nil: nil
        case .word(let word): JSONNumber(word)?.whole.map { .code(Int($0)) } ?? misfit(field)
        case .text(let text): PostedStatus(text: text.string) ?? misfit(field)
        case .nested: misfit(field)
        }
    }

    private mutating func error(_ field: PostedField) throws(ItemRejection) -> PostedError? {
        switch try value() {
        case nil: nil
        case .word: misfit(field)
        case .text(let text): .text(text.string)
        case .nested(let bytes): .json(Array(bytes))
        }
    }

    private mutating func claim(_ field: PostedField) throws(ItemRejection) -> Bool? {
        guard let value = try value() else { return nil }
        guard case .word(let word) = value, word.isJSON("true") || word.isJSON("false") else {
            return misfit(field)
        }
        return word.isJSON("true")
    }

    private mutating func instant(_ field: PostedField) throws(ItemRejection) -> PostedInstant? {
        guard let value = try value() else { return nil }
        let instant: Instant? =
            switch value {
            case .text(let text): Instant(rfc3339: text.string)
            case .word(let word): JSONNumber(word)?.whole.map(Instant.init(millisecondsSinceEpoch:))
            case .nested: nil
            }
        return instant.flatMap(PostedInstant.init) ?? misfit(field)
    }

    /// Records the misfit instead of throwing: the rest of the item must still be valid JSON.
    private mutating func misfit<Value>(_ field: PostedField) -> Value? {
        _ = misfits.insert(field)
        return nil
    }
}

private enum PostedValue {
    case text(JSONText)
    case word(UnsafeRawBufferPointer)
    case nested(UnsafeRawBufferPointer)
}
