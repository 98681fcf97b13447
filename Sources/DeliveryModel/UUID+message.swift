internal import Crypto
public import Foundation

extension UUID {
    /// The id of the notification that a device gets for a message. It is always the same for both, so that events find their row
    /// in any order.
    ///
    /// A version 8 id (RFC 9562, 5.8): the first 16 bytes of the SHA-256 over the ASCII text `landfall/message-device`, the 16
    /// bytes of the message id and the 16 of the device id, with version and variant set.
    public static func notification(ofMessage messageID: UUID, toDevice deviceID: UUID) -> UUID {
        withUnsafeBytes(of: deviceID.uuid) { UUID(hashing: "landfall/message-device", messageID, $0) }
    }

    /// The id under which a response about a message is kept until the token it was sent to is registered: computed in the same
    /// way from `landfall/message-token` and the token's number (8 bytes, big-endian).
    public static func notification(ofMessage messageID: UUID, toToken tokenID: Int64) -> UUID {
        withUnsafeBytes(of: tokenID.bigEndian) { UUID(hashing: "landfall/message-token", messageID, $0) }
    }

    /// - Parameter kind: separates ids that are computed from different things.
    private init(hashing kind: StaticString, _ messageID: UUID, _ recipient: UnsafeRawBufferPointer) {
        var hash = SHA256()
        kind.withUTF8Buffer { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        withUnsafeBytes(of: messageID.uuid) { hash.update(bufferPointer: $0) }
        hash.update(bufferPointer: recipient)
        var bytes = hash.finalize().withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        bytes.6 = bytes.6 & 0x0F | 0x80
        bytes.8 = bytes.8 & 0x3F | 0x80
        self.init(uuid: bytes)
    }
}
