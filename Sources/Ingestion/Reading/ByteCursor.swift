internal import DeliveryModel

/// A position in bytes that the caller keeps alive. Past the last byte it reads 0, which JSON never contains:
/// a reader that expects a certain byte finds the end as one more byte that does not match.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    var current: UInt8 { isAtEnd ? 0 : bytes[position] }

    /// The bytes passed since an earlier position.
    func passed(since start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// Advances, but never past the end.
    mutating func advance(by count: Int = 1) { position = min(position + count, bytes.count) }

    /// Passes the byte if it is the current one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte, !isAtEnd else { return false }
        position += 1
        return true
    }

    mutating func skipWhiteSpace() {
        while current.isWhiteSpace { position += 1 }
    }

    mutating func skipLine() { position += bytes[position...].prefix { $0 != .newline }.count }

    /// Passes plain text inside quotes, eight bytes at a time: ASCII except controls, quotes and backslashes.
    mutating func skipPlainText() {
        while bytes.count - position >= 8 {
            let stops = EightBytes(bytes, at: position).stops
            guard stops == 0 else {
                position += stops.trailingZeroBitCount / 8
                return
            }
            position += 8
        }
        while !isAtEnd, bytes[position].isPlainText { position += 1 }
    }
}

/// Eight bytes of text, the first one lowest, tested all at once.
private struct EightBytes {
    private let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// The high bit of every byte that is not plain text. A borrow sets bits only above the first such byte.
    var stops: UInt64 {
        let controls = (word &- Self.ones &* 0x20) & ~word
        return
            (controls | zeros(word ^ Self.ones &* UInt64(UInt8.quote))
            | zeros(word ^ Self.ones &* UInt64(UInt8.backslash)) | word) & Self.highBits
    }

    private func zeros(_ word: UInt64) -> UInt64 { (word &- Self.ones) & ~word }
}

extension ByteCursor {
    /// Passes one multibyte character, in the forms of RFC 3629 only: no overlong forms, no surrogates,
    /// nothing above U+10FFFF. Anything else is malformed: a control character, a stray byte, the end.
    mutating func skipScalar() throws(ItemRejection) {
        let lead = current
        advance()
        switch lead {
        case 0xC2...0xDF: break
        case 0xE0: try take(0xA0...0xBF)
        case 0xED: try take(0x80...0x9F)
        case 0xE1...0xEF: try take(0x80...0xBF)
        case 0xF0:
            try take(0x90...0xBF)
            try take(0x80...0xBF)
        case 0xF1...0xF3:
            try take(0x80...0xBF)
            try take(0x80...0xBF)
        case 0xF4:
            try take(0x80...0x8F)
            try take(0x80...0xBF)
        default: throw .malformed
        }
        try take(0x80...0xBF)
    }

    /// Passes an escape sequence. A surrogate pair must have both halves, in order.
    mutating func escapedScalar() throws(ItemRejection) -> Unicode.Scalar {
        advance()
        let letter = current
        advance()
        switch letter {
        case .quote, .backslash, UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw .malformed
        }
        var value = try hexUnit()
        if 0xD800..<0xDC00 ~= value, take(.backslash), take(UInt8(ascii: "u")) {
            let low = try hexUnit()
            guard 0xDC00..<0xE000 ~= low else { throw .malformed }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw .malformed }
        return scalar
    }

    private mutating func hexUnit() throws(ItemRejection) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = current.hexDigit else { throw .malformed }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }

    private mutating func take(_ accepted: ClosedRange<UInt8>) throws(ItemRejection) {
        guard accepted.contains(current) else { throw .malformed }
        advance()
    }
}

/// The bytes with a meaning in JSON (RFC 8259).
extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")

    var isWhiteSpace: Bool {
        self == UInt8(ascii: " ") || self == .newline || self == UInt8(ascii: "\t")
            || self == UInt8(ascii: "\r")
    }

    /// Represents itself inside quotes, as a whole character.
    var isPlainText: Bool { self >= 0x20 && self < 0x80 && self != .quote && self != .backslash }

    /// Can be part of a number or a literal, and of nothing else outside quotes.
    var isWordPart: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    var digit: UInt64? {
        let value = self &- UInt8(ascii: "0")
        return value < 10 ? UInt64(value) : nil
    }
}
