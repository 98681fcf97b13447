internal import Crypto
public import Foundation

/// How an event identifies its notification.
public enum NotificationName: Hashable, Sendable {
    /// The id that the sender chose for this one push.
    case notification(UUID)
    /// The id that all pushes with one payload share, and the device of this one. In a response or a vendor's
    /// receipt about a token, the device is `nil`: the holder of the token is meant.
    case message(UUID, deviceID: UUID?)

    public var id: UUID {
        switch self {
        case .notification(let id), .message(let id, _): id
        }
    }

    /// The notification's own id; `nil` if only a token identifies the device.
    public var notificationID: UUID? {
        switch self {
        case .notification(let id): id
        case .message(let id, let deviceID?): .notification(ofMessage: id, toDevice: deviceID)
        case .message(_, nil): nil
        }
    }
}

extension UUID {
    /// The id of the notification that a device gets for a message. It is always the same for both, so that
    /// events find their row in any order.
    ///
    /// A version 8 id (RFC 9562, 5.8): the first 16 bytes of the SHA-256 over ASCII
    /// `landfall/message-device`, the message id's and device id's bytes, with version and variant set.
    public static func notification(ofMessage messageID: UUID, toDevice deviceID: UUID) -> UUID {
        withUnsafeBytes(of: deviceID.uuid) { UUID(hashing: "landfall/message-device", messageID, $0) }
    }

    /// The id under which a response about a message is kept until the token it was sent to is registered:
    /// computed in the same way from `landfall/message-token` and the token's number (8 bytes, big-endian).
    public static func notification(ofMessage messageID: UUID, toToken tokenID: Int64) -> UUID {
        withUnsafeBytes(of: tokenID.bigEndian) { UUID(hashing: "landfall/message-token", messageID, $0) }
    }

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

    /// The timestamp in the first 48 bits of a version 7 id (RFC 9562, 5.7); `nil` for other versions.
    public var versionSevenInstant: Instant? {
        let bytes = uuid
        guard bytes.6 >> 4 == 7 else { return nil }
        let high = Int64(bytes.0) << 40 | Int64(bytes.1) << 32 | Int64(bytes.2) << 24
        return Instant(
            millisecondsSinceEpoch: high | Int64(bytes.3) << 16 | Int64(bytes.4) << 8 | Int64(bytes.5))
    }
}
