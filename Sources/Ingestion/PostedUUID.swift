internal import Foundation

/// A string that should be a UUID. Whether it is one is asked when it is needed: a field that says nothing about an item's
/// type may hold anything.
enum PostedUUID {
    case valid(UUID)
    case invalid(String)

    init(_ text: JSONText) {
        self = text.withBytes(UUID.init(hexDigits:)).map { .valid($0) } ?? .invalid(text.string)
    }

    var uuid: UUID? {
        guard case .valid(let uuid) = self else { return nil }
        return uuid
    }

    /// What was posted instead.
    var invalidText: String? {
        guard case .invalid(let text) = self else { return nil }
        return text
    }
}

extension UUID {
    /// Reads the form of RFC 9562, in any case; nil for everything else. Foundation's own reading goes through `sscanf`, which
    /// costs more than the rest of an item and takes signs and spaces for digits.
    fileprivate init?(hexDigits text: UnsafeRawBufferPointer) {
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
                low = low << 4 | UInt64(digit)
            }
        }
        let bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { $0.loadUnaligned(as: uuid_t.self) }
        self.init(uuid: bytes)
    }
}
