internal import DeliveryModel

/// Reads JSON (RFC 8259) in UTF-8 from start to end, without recursion and without keeping unneeded values.
struct JSONReader {
    /// How deeply arrays and objects may be nested in the value of a field.
    static let deepestNesting = 64

    private(set) var cursor: ByteCursor

    init(_ bytes: UnsafeRawBufferPointer) { cursor = ByteCursor(bytes) }

    /// Passes white space, then the byte, which is required.
    mutating func expect(_ byte: UInt8) throws(ItemRejection) {
        guard take(byte) else { throw .malformed }
    }

    /// Passes white space, then the byte if it is the next one.
    mutating func take(_ byte: UInt8) -> Bool {
        cursor.skipWhiteSpace()
        return cursor.take(byte)
    }

    mutating func expectEnd() throws(ItemRejection) {
        cursor.skipWhiteSpace()
        guard cursor.isAtEnd else { throw .malformed }
    }

    /// A field's name and the colon after it; stops at the value.
    mutating func key() throws(ItemRejection) -> JSONText {
        cursor.skipWhiteSpace()
        let key = try text()
        try expect(.colon)
        cursor.skipWhiteSpace()
        return key
    }

    /// A string; the cursor must be at its opening quote.
    mutating func text() throws(ItemRejection) -> JSONText {
        guard cursor.take(.quote) else { throw .malformed }
        let start = cursor.position
        while true {
            cursor.skipPlainText()
            switch cursor.current {
            case .quote:
                let bytes = cursor.passed(since: start)
                cursor.advance()
                return .plain(bytes)
            case .backslash: return .unescaped(try unescaped(since: start))
            default: try cursor.skipScalar()
            }
        }
    }

    /// A number or literal, or an attempt: if neither, the field is wrong but the item is not malformed.
    mutating func word() throws(ItemRejection) -> UnsafeRawBufferPointer {
        let start = cursor.position
        while cursor.current.isWordPart { cursor.advance() }
        guard cursor.position > start else { throw .malformed }
        return cursor.passed(since: start)
    }

    /// Passes one valid value of any kind. Each bit of `open` says whether that open bracket is an object's.
    mutating func skipValue() throws(ItemRejection) {
        var open: UInt64 = 0
        var depth = 0
        repeat {
            cursor.skipWhiteSpace()
            switch cursor.current {
            case .openBrace, .openBracket:
                guard depth < Self.deepestNesting else { throw .tooDeep }
                let isObject = cursor.current == .openBrace
                cursor.advance()
                open = open << 1 | (isObject ? 1 : 0)
                depth += 1
                if !take(isObject ? .closeBrace : .closeBracket) {
                    if isObject { _ = try key() }
                    continue
                }
                open >>= 1
                depth -= 1
            case .quote: _ = try text()
            default: try skipWord()
            }
            try close(&open, &depth)
        } while depth > 0
    }

    /// After a value: closes everything that ends here, and stops before the next value, if one follows.
    private mutating func close(_ open: inout UInt64, _ depth: inout Int) throws(ItemRejection) {
        while depth > 0 {
            let isObject = open & 1 == 1
            if take(.comma) {
                if isObject { _ = try key() }
                return
            }
            try expect(isObject ? .closeBrace : .closeBracket)
            open >>= 1
            depth -= 1
        }
    }

    private mutating func skipWord() throws(ItemRejection) {
        let word = try word()
        guard word.isJSON("null") || word.isJSON("true") || word.isJSON("false") || JSONNumber(word) != nil
        else { throw .malformed }
    }

    /// The whole string, from the first backslash on; the part before it is plain.
    private mutating func unescaped(since start: Int) throws(ItemRejection) -> [UInt8] {
        var bytes = Array(cursor.passed(since: start))
        while true {
            let start = cursor.position
            cursor.skipPlainText()
            bytes += cursor.passed(since: start)
            switch cursor.current {
            case .quote:
                cursor.advance()
                return bytes
            case .backslash:
                bytes += UTF8.encode(try cursor.escapedScalar()) ?? UTF8.encodedReplacementCharacter
            default:
                let start = cursor.position
                try cursor.skipScalar()
                bytes += cursor.passed(since: start)
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    func isJSON(_ word: StaticString) -> Bool { word.withUTF8Buffer { elementsEqual($0) } }
}

extension ItemRejection {
    static var malformed: Self { ItemRejection(.invalidJSON, "an item must be one valid JSON object") }

    static var tooDeep: Self {
        ItemRejection(
            .invalidJSON, "a field may contain at most \(JSONReader.deepestNesting) nested arrays or objects")
    }
}

/// The text between two quotes, unescaped and known to be valid UTF-8.
enum JSONText {
    /// The text had no escapes. These are bytes of the item itself, valid only while it is read.
    case plain(UnsafeRawBufferPointer)
    case unescaped([UInt8])

    var string: String {
        switch self {
        case .plain(let bytes): String(decoding: bytes, as: UTF8.self)
        case .unescaped(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    var name: String { string.canonicalName }

    var containsNUL: Bool {
        guard case .unescaped(let bytes) = self else { return false }
        return bytes.contains(0)
    }

    func withBytes<Response>(_ body: (UnsafeRawBufferPointer) -> Response) -> Response {
        switch self {
        case .plain(let bytes): body(bytes)
        case .unescaped(let bytes): bytes.withUnsafeBytes(body)
        }
    }
}
