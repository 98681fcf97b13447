internal import Crypto
internal import Foundation

/// The secret of one installation, by which its device proves that it is the same as before.
///
/// The device gets it from the registration that claims the installation, keeps it (in the keychain), and
/// sends it with later requests about the installation as `Landfall-Credential`. Only its digest is stored.
public struct InstallationCredential: Hashable, Sendable {
    /// 32 random bytes in base64url, 43 characters.
    public let text: String

    public init() {
        text = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64URL
    }

    public var digest: [UInt8] { Self.digest(of: text) }

    /// SHA-256 of the text, 32 bytes.
    public static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }
}
