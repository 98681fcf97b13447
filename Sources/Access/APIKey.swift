internal import Crypto
public import DeliveryModel
internal import Foundation
public import Trust

/// A bearer key: `lf_server_…`, `lf_device_…`, `lf_report_…` or `lf_hook_…`, where `…` is 32 random bytes in
/// base64url.
/// A key of another cell than 0 names it before them: `lf_server_c3_…`.
public struct APIKey: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Allows all ingestion, device erasure and token feeds.
        case server
        /// Posts device events and registers devices; reads nothing.
        case device
        /// Reads reports.
        case report
        /// Posts to `/v1/intake` and nothing else, also from the address of a hook, where others can read it.
        case hook
    }

    public let kind: Kind
    /// The secret itself, shown once.
    public let text: String

    package static func random(kind: Kind, cell: CellNumber = .front) -> APIKey {
        let secret = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        return APIKey(kind: kind, text: "lf_\(kind.rawValue)_\(mark(of: cell))\(secret.base64URL)")
    }

    /// The SHA-256 of the key, which the database stores instead of the key.
    public var digest: [UInt8] { Self.digest(of: text) }

    /// Long enough for a person to tell keys apart, too short to be of use to anyone else.
    public var prefix: String { Self.prefix(of: text) }

    package static func prefix(of text: String) -> String {
        String(text.prefix("lf_server_".count + mark(of: cell(of: text) ?? .front).count + 4))
    }

    /// The cell that a key's text names; `nil` if it cannot be the text of a key.
    package static func cell(of text: String) -> CellNumber? {
        let mark = mark(in: text)
        guard !mark.isEmpty else { return .front }
        let cell = Int(mark.dropFirst().dropLast()).flatMap { CellNumber($0) }
        return cell.flatMap { Self.mark(of: $0) == mark ? $0 : nil }
    }

    private static func mark(of cell: CellNumber) -> String { cell == .front ? "" : "c\(cell)_" }

    /// The text between the kind and the secret, which is the last 43 characters: a secret that begins with
    /// `c3_` names no cell.
    private static func mark(in text: String) -> String {
        let head = text.utf8.dropLast(43).dropFirst("lf_".utf8.count)
        return String(decoding: head.drop { $0 != UInt8(ascii: "_") }.dropFirst(), as: UTF8.self)
    }

    public static func digest(of text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { Array(SHA256.hash(data: UnsafeRawBufferPointer($0))) }
    }
}

/// The digest of a presented key. The key itself is never remembered.
public struct KeyDigest: Hashable, Sendable {
    public let bytes: [UInt8]
    /// The cell that the key names.
    package let cell: CellNumber

    /// `nil` if the text cannot be a key.
    public init?(of text: some StringProtocol) {
        guard text.hasPrefix("lf_"), text.utf8.count < 100 else { return nil }
        let text = String(text)
        guard let cell = APIKey.cell(of: text) else { return nil }
        (self.cell, bytes) = (cell, APIKey.digest(of: text))
    }
}

/// The app and kind of a valid key.
public struct Credential: Hashable, Sendable {
    public let keyID: Int64
    public let kind: APIKey.Kind
    public internal(set) var app: App
    /// What the app demands of devices.
    public internal(set) var trust = TrustRules()
}
