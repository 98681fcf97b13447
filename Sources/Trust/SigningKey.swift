internal import Crypto
internal import DeliveryModel
internal import Foundation

/// The key with which an app's backend signs what passes through devices, and Landfall checks the signature.
///
/// The HMAC key is the whole text as shown, `lf_account_…` or `lf_receipt_…`, as UTF-8, without decoding.
public struct SigningKey: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Proves which account a device belongs to (``AccountProof``).
        case account
        /// Proves that a device received a notification (``Receipt``).
        case receipt
    }

    /// Already initialized with the key, which is half the cost of a signature.
    private let code: HMAC<SHA256>
    /// Tells keys apart.
    private let digest: [UInt8]

    public init(_ text: String) {
        code = HMAC(key: SymmetricKey(data: Data(text.utf8)))
        digest = Array(SHA256.hash(data: Data(text.utf8)))
    }

    /// The text of a new key: 32 random bytes in base64url after the kind.
    public static func randomText(_ kind: Kind) -> String {
        "lf_\(kind.rawValue)_" + SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64URL
    }

    /// HMAC-SHA256 of the bytes, 32 bytes.
    func signature(of bytes: some DataProtocol) -> HMAC<SHA256>.MAC {
        var code = code
        code.update(data: bytes)
        return code.finalize()
    }

    /// HMAC-SHA256 of the 16 bytes of a UUID, or of a text.
    func signature(of id: ChosenID) -> HMAC<SHA256>.MAC {
        switch id {
        case .uuid(let id): withUnsafeBytes(of: id.uuid) { signature(of: $0) }
        case .text(let text): signature(of: Array(text.utf8))
        }
    }
}

extension SigningKey: Hashable {
    public static func == (left: SigningKey, right: SigningKey) -> Bool { left.digest == right.digest }

    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
