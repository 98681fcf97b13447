internal import Crypto
internal import Foundation
internal import Trust

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
