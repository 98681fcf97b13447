internal import Crypto
public import Foundation
public import PostgresClient

/// Keeps device tokens secret: lookups use a keyed fingerprint, values are stored sealed. A stolen dump
/// cannot be used to send pushes.
public struct TokenVault: Sendable {
    /// Already initialized with its key, which is half the cost of a fingerprint.
    private let fingerprinting: HMAC<SHA256>
    private let sealingKey: SymmetricKey

    public init(_ key: TokenKey) {
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: key.bytes, info: Data(purpose.utf8), outputByteCount: 32)
        }
        fingerprinting = HMAC(key: derived("landfall token fingerprint"))
        sealingKey = derived("landfall token sealing")
    }

    /// HMAC-SHA256 of a normalized value, 32 bytes.
    public func fingerprint(of value: String) -> [UInt8] {
        var code = fingerprinting
        var value = value
        value.withUTF8 { code.update(data: UnsafeRawBufferPointer($0)) }
        return Array(code.finalize())
    }

    /// HMAC-SHA256 of any bytes, 32 bytes. The purpose separates unrelated uses.
    public func fingerprint(of bytes: some DataProtocol, purpose: String) -> [UInt8] {
        var code = fingerprinting
        code.update(data: Data("\(purpose)\u{1F}".utf8))
        code.update(data: bytes)
        return Array(code.finalize())
    }

    /// The first byte of everything that is sealed; a later format gets another.
    private static let format: UInt8 = 1

    /// AES-256-GCM, authenticated with the place: a byte for the format, then nonce, ciphertext and tag.
    public func seal(_ text: some DataProtocol, for place: SealedPlace) throws -> [UInt8] {
        let box = try AES.GCM.seal(text, using: sealingKey, authenticating: place.authenticated)
        // `combined` is `nil` only for nonces that are not 12 bytes long; ours are.
        return [Self.format] + (box.combined ?? Data())
    }

    /// Opens a text that was sealed for this place.
    ///
    /// - Throws: `CryptoKitError` if it was sealed for another place or with another key, or is damaged.
    public func open(_ sealed: [UInt8], from place: SealedPlace) throws -> [UInt8] {
        guard sealed.first == Self.format else { throw CryptoKitError.authenticationFailure }
        let box = try AES.GCM.SealedBox(combined: Data(sealed.dropFirst()))
        return Array(try AES.GCM.open(box, using: sealingKey, authenticating: place.authenticated))
    }

    /// The check value by which a database recognizes its key.
    var mark: [UInt8] { fingerprint(of: "landfall token key check") }

    /// Stores the check value of the first server's key in the database.
    ///
    /// - Throws: ``TokenKeyError`` if the database's tokens were sealed with another key; `PostgresError`.
    public func claim(_ connection: PostgresConnection) throws {
        let row = try connection.query(
            .Administration.claimSetting, [.value(ResealSetting.check), .value(mark)]
        ).first
        try compare(row?.get("value", as: [UInt8].self))
    }

    /// Whether the database contains the check value of a key. False if it has no schema yet.
    static func isClaimed(_ connection: PostgresConnection) throws -> Bool {
        do {
            return try connection.query(.Administration.readSetting, [.value(ResealSetting.check)]).count > 0
        } catch let error where error.lacksSchema {
            return false
        }
    }

    /// Prevents the tokens from being moved to another key while the connection lasts. May be repeated.
    ///
    /// - Throws: ``TokenKeyError`` if they were moved, or are being moved; `PostgresError`.
    public func hold(_ connection: PostgresConnection) throws {
        guard try connection.keep(.tokenKey) else { throw TokenKeyError.beingResealed }
        do {
            try compare(
                connection.query(.Administration.readSetting, [.value(ResealSetting.check)])
                    .first?.get("value"))
        } catch {
            // A program with another key must not block the move.
            connection.letGo(.tokenKey)
            throw error
        }
    }

    private func compare(_ known: [UInt8]?) throws {
        guard known != mark else { return }
        throw known == ResealSetting.noKey
            ? TokenKeyError.beingResealed : TokenKeyError.notTheKeyOfThisDatabase
    }
}

/// The place of a sealed text. The text is authenticated with it, so that a row copied to another app, or to
/// a table for another purpose, cannot be read there.
public enum SealedPlace: Hashable, Sendable {
    case token(ofApp: Int64)
    case webPushKeys(ofApp: Int64)
    case quarantine(ofApp: Int64)
    case signingKey(ofApp: Int64)

    /// The authenticated data of AES-GCM, such as `landfall token 17`. The format is stored: never change it.
    var authenticated: [UInt8] {
        switch self {
        case .token(let appID): Array("landfall token \(appID)".utf8)
        case .webPushKeys(let appID): Array("landfall web push keys \(appID)".utf8)
        case .quarantine(let appID): Array("landfall quarantine \(appID)".utf8)
        case .signingKey(let appID): Array("landfall signing key \(appID)".utf8)
        }
    }
}
