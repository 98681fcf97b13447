public import Foundation

extension UUID {
    /// Parses the text form of RFC 9562: 32 hex digits in either case, hyphens after 8, 12, 16 and 20.
    ///
    /// Every id from outside is parsed here. Foundation's own parser uses `sscanf`, which accepts signs and
    /// spaces instead of digits, so that one device could have several ids.
    public init?(strict text: some StringProtocol) {
        var text = String(text)
        let id = text.withUTF8 { UUID(strict: UnsafeRawBufferPointer($0)) }
        guard let id else { return nil }
        self = id
    }

    /// Parses the bytes of the text in the same way.
    public init?(strict text: UnsafeRawBufferPointer) {
        guard text.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (position, byte) in text.enumerated() {
            switch position {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = byte.hexDigit else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | digit
            }
        }
        let bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { $0.loadUnaligned(as: uuid_t.self) }
        self.init(uuid: bytes)
    }
}

extension UInt8 {
    /// The value of the digit if it is one, in either case.
    package var hexDigit: UInt64? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
