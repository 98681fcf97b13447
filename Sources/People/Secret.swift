internal import Crypto
internal import Foundation
internal import Trust

/// 256 random bits in a cookie or a link. The database stores only their digest.
public struct Secret: Sendable {
    /// 43 characters of base64url.
    public let text: String

    public static func random() -> Secret {
        Secret(checked: SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64URL)
    }

    /// `nil` if the text cannot be a secret.
    public init?(text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count == 43, let bytes = Data(base64URL: text), bytes.base64URL == text else {
            return nil
        }
        self.text = text
    }

    private init(checked text: String) {
        self.text = text
    }

    /// SHA-256 of the text, 32 bytes.
    public var digest: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// A code for another purpose that does not reveal the secret.
    func code(for purpose: String) -> String {
        Data(
            HMAC<SHA256>.authenticationCode(
                for: Data(purpose.utf8), using: SymmetricKey(data: Data(text.utf8)))
        ).base64URL
    }
}

/// Returns whether two texts are equal. It compares their digests, so that the time says nothing about the texts.
public func isEqualInConstantTime(_ left: String, _ right: String) -> Bool {
    SHA256.hash(data: Data(left.utf8)) == SHA256.hash(data: Data(right.utf8))
}
