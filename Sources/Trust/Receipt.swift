internal import Crypto
public import Foundation

/// Proves that the device that reports a notification has received it.
///
/// The sender puts `receipt` next to the id into the payload: the first 16 bytes of HMAC-SHA256 under the app's receipt key of the
/// notification's or message's id (16 bytes), in base64url (22 characters). The device posts it with its events. An id alone, which
/// may be in logs, proves nothing.
public struct Receipt: Hashable, Sendable {
    static let byteCount = 16

    /// What the device posted: 16 bytes.
    private let code: [UInt8]

    /// Returns `nil` if the text is not 16 bytes in base64url.
    public init?(_ text: String) {
        guard (22...24).contains(text.utf8.count), let bytes = Data(base64URL: text),
            bytes.count == Self.byteCount
        else { return nil }
        code = Array(bytes)
    }

    /// The text for the payload.
    public static func text(for id: UUID, key: SigningKey) -> String {
        Data(key.signature(of: id).prefix(byteCount)).base64URL
    }

    /// Compares in constant time.
    ///
    /// - Parameter keys: the app's receipt keys; there are two while one is replaced.
    public func isValid(for id: UUID, keys: [SigningKey]) -> Bool {
        keys.contains { key in areEqual(key.signature(of: id).prefix(Self.byteCount), code) }
    }
}
