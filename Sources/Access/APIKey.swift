internal import Crypto
public import DeliveryModel
internal import Foundation
public import Trust

/// A bearer key: `lf_server_…`, `lf_device_…` or `lf_report_…`, where `…` is 32 random bytes in base64url.
public struct APIKey: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Allows all ingestion, device erasure and token feeds.
        case server
        /// Posts device events and registers devices; reads nothing.
        case device
        /// Reads reports.
        case report
    }

    public let kind: Kind
    /// The secret itself, shown once.
    public let text: String

    public static func random(kind: Kind) -> APIKey {
        let secret = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        return APIKey(kind: kind, text: "lf_\(kind.rawValue)_\(secret.base64URL)")
    }

    /// The SHA-256 of the key, which the database stores instead of the key.
    public var digest: [UInt8] { Self.digest(of: text) }

    /// Long enough for a person to tell keys apart, too short to be of use to anyone else.
    public var prefix: String { Self.prefix(of: text) }

    package static func prefix(of text: String) -> String { String(text.prefix("lf_server_".count + 4)) }

    public static func digest(of text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { Array(SHA256.hash(data: UnsafeRawBufferPointer($0))) }
    }
}

/// The digest of a presented key. The key itself is never remembered.
public struct KeyDigest: Hashable, Sendable {
    public let bytes: [UInt8]

    /// `nil` if the text cannot be a key.
    public init?(of text: some StringProtocol) {
        guard text.hasPrefix("lf_"), text.utf8.count < 100 else { return nil }
        bytes = APIKey.digest(of: String(text))
    }
}

/// The app and kind of a valid key.
public struct Credential: Hashable, Sendable {
    public let keyID: Int64
    public let kind: APIKey.Kind
    public let app: App
    /// What the app demands of devices.
    public internal(set) var trust = TrustRules()
}
