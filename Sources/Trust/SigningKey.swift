internal import Crypto
internal import Foundation

/// A key with which an app's backend signs what passes through devices. Landfall checks the signature with the same key.
///
/// The HMAC key is the whole text as shown, `lf_account_…` or `lf_receipt_…`, as UTF-8: nothing has to be decoded.
public struct SigningKey: Sendable {
    /// Already initialized with the key, which is half the cost of a signature.
    private let code: HMAC<SHA256>

    public init(_ text: String) {
        code = HMAC(key: SymmetricKey(data: Data(text.utf8)))
    }

    /// HMAC-SHA256 of the bytes, 32 bytes.
    func signature(of bytes: some DataProtocol) -> HMAC<SHA256>.MAC {
        var code = code
        code.update(data: bytes)
        return code.finalize()
    }

    /// HMAC-SHA256 of the 16 bytes of an id.
    func signature(of id: UUID) -> HMAC<SHA256>.MAC {
        var code = code
        withUnsafeBytes(of: id.uuid) { code.update(data: $0) }
        return code.finalize()
    }
}
