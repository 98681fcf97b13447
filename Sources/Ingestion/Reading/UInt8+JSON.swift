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
    var isPlainText: Bool {
        self >= 0x20 && self < 0x80 && self != .quote && self != .backslash
    }

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

    var hexDigit: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
