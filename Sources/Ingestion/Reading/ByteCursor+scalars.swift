// MARK: - Characters of strings beyond plain text

extension ByteCursor {
    /// Passes one character of several bytes, in the forms of RFC 3629 only: no overlong forms, no surrogates, nothing above
    /// U+10FFFF. Anything else is malformed here: a control character, a stray byte, the end.
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
            value = value << 4 | digit
            advance()
        }
        return value
    }

    private mutating func take(_ accepted: ClosedRange<UInt8>) throws(ItemRejection) {
        guard accepted.contains(current) else { throw .malformed }
        advance()
    }
}
