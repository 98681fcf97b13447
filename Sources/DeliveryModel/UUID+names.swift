internal import Crypto
public import Foundation

extension UUID {
    /// The version 5 id of a text in a namespace (RFC 9562, 5.5): the first 16 bytes of the SHA-1 over the
    /// namespace's bytes and the text in UTF-8, with version and variant set.
    public static func v5(of text: String, in namespace: UUID) -> UUID {
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: namespace.uuid) { hash.update(bufferPointer: $0) }
        var text = text
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        var bytes = hash.finalize().withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        bytes.6 = bytes.6 & 0x0F | 0x50
        bytes.8 = bytes.8 & 0x3F | 0x80
        return UUID(uuid: bytes)
    }

    /// The namespace of an app's ids: the version 5 id of its number in decimal digits, in Landfall's own
    /// namespace. An app keeps its number when it moves to another cell, and in every backup.
    public static func namespace(ofApp appID: Int64) -> UUID { v5(of: String(appID), in: landfall) }

    /// Rows are found by ids in it, so it must never change.
    private static let landfall = UUID(
        uuid: (
            0x7B, 0x3E, 0x9D, 0x52, 0x61, 0xC4, 0x4F, 0x0A, 0x9C, 0x8E, 0x5D, 0x1A, 0x2F, 0x60, 0xB7, 0xE4
        ))
}

extension App {
    /// The namespace of the ids of its notifications and messages that are not UUIDs.
    public var namespace: UUID { .namespace(ofApp: appID) }
}
