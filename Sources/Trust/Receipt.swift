internal import Crypto
public import DeliveryModel
public import Foundation

/// Proves that the device that reports a notification has received it.
///
/// The sender puts `receipt` next to the id into the payload: the first 16 bytes of HMAC-SHA256 under the
/// app's receipt key of the notification's or message's id, in base64url (22 characters). A UUID is signed
/// as its 16 bytes, any other id as its text in UTF-8. The device posts the receipt with its events. An id
/// alone, which may be in logs, proves nothing.
///
/// A text of 16 bytes has the receipt of the UUID with these bytes, which no sender chose by chance.
public struct Receipt: Hashable, Sendable {
    static let byteCount = 16

    /// What the device posted: 16 bytes.
    private let code: UInt128

    /// Returns `nil` if the text is not 16 bytes in base64url. It may have padding, and `+` and `/`.
    public init?(_ text: String) {
        var text = text
        guard let code = text.withUTF8(UInt128.init(base64URL:)) else { return nil }
        self.code = code
    }

    /// The text for the payload.
    public static func text(for id: ChosenID, key: SigningKey) -> String {
        Data(key.signature(of: id).prefix(byteCount)).base64URL
    }

    public static func text(for id: UUID, key: SigningKey) -> String { text(for: .uuid(id), key: key) }

    public func isValid(for id: UUID, keys: [SigningKey]) -> Bool { isValid(for: .uuid(id), keys: keys) }

    /// Compares in constant time.
    ///
    /// - Parameter keys: the app's receipt keys; there are two while one is replaced.
    public func isValid(for id: ChosenID, keys: [SigningKey]) -> Bool {
        keys.contains { key in
            key.signature(of: id).withUnsafeBytes { signature in
                UInt128(bigEndian: signature.loadUnaligned(as: UInt128.self)) ^ code == 0
            }
        }
    }
}

extension UInt128 {
    /// Reads 16 bytes, the first as the highest. `Data` takes five times as long as the check that follows.
    fileprivate init?(base64URL text: UnsafeBufferPointer<UInt8>) {
        // 21 digits of 6 bits, and one for the last 2.
        let digits = text.prefix(22)
        guard digits.count == 22, text.count <= 24, text.dropFirst(22).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var code: UInt128 = 0
        for (position, digit) in digits.enumerated() {
            guard let bits = Self.value(ofBase64: digit) else { return nil }
            code = position < 21 ? code << 6 | UInt128(bits) : code << 2 | UInt128(bits >> 4)
        }
        self = code
    }

    private static func value(ofBase64 digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
