/// Reads JSON (RFC 8259) in UTF-8 in one pass.
struct JSONCursor {
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position: Int

    /// As `POST /v1/events` reads items.
    private static let mostDepth = 64

    /// A byte order mark at the start is skipped.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The whole text as one value; `nil` if it is anything else.
    static func value(in bytes: [UInt8]) -> PostedJSON? {
        var cursor = JSONCursor(bytes)
        guard let value = try? cursor.value(), cursor.isAtEnd else { return nil }
        return value
    }

    /// One value, several ones after another, or lines, each read when it is asked for.
    static func records(in bytes: [UInt8]) -> some Sequence<PostedRecord> {
        sequence(state: JSONCursor(bytes)) { $0.nextRecord() }
    }

    /// What is not JSON ends before the next line that begins with a bracket or brace, so that it hides no
    /// record that follows. `nil` at the end.
    private mutating func nextRecord() -> PostedRecord? {
        guard !isAtEnd else { return nil }
        let start = position
        if let value = try? value() { return .value(value) }
        position = start
        repeat {
            position = bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        } while !Self.endsOfMalformed.contains(next)
        return .malformed(Array(bytes[start..<position]))
    }

    private static let endsOfMalformed: Set<UInt8?> = [UInt8(ascii: "{"), UInt8(ascii: "["), nil]

    /// Whether nothing but white space follows.
    private var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return position == bytes.count
        }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int = 0) throws(Malformed) -> PostedJSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: PostedJSON) throws(Malformed) -> PostedJSON {
        let text = word.withUTF8Buffer { Array($0) }
        guard bytes[position...].starts(with: text) else { throw Malformed() }
        position += text.count
        return value
    }

    private mutating func object(_ depth: Int) throws(Malformed) -> PostedJSON {
        guard depth < Self.mostDepth, skip("{") else { throw Malformed() }
        var members: [PostedJSON.Member] = []
        skipSpace()
        if skip("}") { return .object(members) }
        while true {
            skipSpace()
            let key = try string()
            skipSpace()
            guard skip(":") else { throw Malformed() }
            members.append(PostedJSON.Member(key: key, value: try value(depth: depth + 1)))
            skipSpace()
            if skip("}") { return .object(members) }
            guard skip(",") else { throw Malformed() }
        }
    }

    private mutating func array(_ depth: Int) throws(Malformed) -> PostedJSON {
        guard depth < Self.mostDepth, skip("[") else { throw Malformed() }
        var elements: [PostedJSON] = []
        skipSpace()
        if skip("]") { return .array(elements) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if skip("]") { return .array(elements) }
            guard skip(",") else { throw Malformed() }
        }
    }

    private mutating func number() throws(Malformed) -> String {
        let start = position
        while let byte = next, Self.inNumbers.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard text.wholeMatch(of: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/) != nil else {
            throw Malformed()
        }
        return text
    }

    private static let inNumbers = Set("0123456789+-.eE".utf8)

    private mutating func string() throws(Malformed) -> String {
        guard skip("\"") else { throw Malformed() }
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw Malformed() }
                return string
            case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
            case ..<0x20: throw Malformed()
            default: text.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func escaped() throws(Malformed) -> Unicode.Scalar {
        guard let byte = next else { throw Malformed() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode()
        default: throw Malformed()
        }
    }

    /// The character after `\u`, which may be a pair of surrogates.
    private mutating func unicode() throws(Malformed) -> Unicode.Scalar {
        let high = try hexDigits()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard high < 0xDC00, skip("\\"), skip("u") else { throw Malformed() }
        let low = try hexDigits()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { throw Malformed() }
        return scalar
    }

    private mutating func hexDigits() throws(Malformed) -> UInt32 {
        // A number may begin with a sign.
        guard position + 4 <= bytes.count, ![0x2B, 0x2D].contains(bytes[position]),
            let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw Malformed() }
        position += 4
        return value
    }
}
