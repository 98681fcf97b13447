public import Basics
internal import Crypto
public import Foundation

/// Proves that the app's backend knows an account, or tags, to be those of a device.
///
/// The text is `expires.signature`: the time until which it may be used, in seconds since 1970, and
/// HMAC-SHA256 under the app's account key, in base64url, of these lines, joined by line feeds and encoded as
/// UTF-8: `v1`, the account (empty without one), each tag in the order in which the device posts them, the
/// device's id in lowercase, and the same seconds.
public struct AccountProof: Sendable {
    /// What is proven.
    public struct Claim: Hashable, Sendable {
        /// Empty without an account.
        public let account: String
        public let tags: [String]
        public let deviceID: UUID

        public init(account: String, tags: [String], deviceID: UUID) {
            self.account = account
            self.tags = tags
            self.deviceID = deviceID
        }

        /// - Throws: ``AccountProofError/lineFeed`` if account or tags have one: claims could share a text.
        fileprivate func signed(until seconds: Int64) throws(AccountProofError) -> Data {
            guard ([account] + tags).allSatisfy({ !$0.utf8.contains(0x0A) }) else { throw .lineFeed }
            let lines = ["v1", account] + tags + [deviceID.uuidString.lowercased(), String(seconds)]
            return Data(lines.joined(separator: "\n").utf8)
        }
    }

    /// Proofs are for one sign-in. A proof for longer is a mistake, most likely milliseconds.
    public static let longestDays: Int64 = 400

    private let seconds: Int64
    private let signature: [UInt8]

    /// - Throws: ``AccountProofError/malformed``.
    public init(_ text: String) throws(AccountProofError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Int64(parts[0]),
            let signature = Data(base64URL: String(parts[1])),
            signature.count == SHA256.byteCount
        else { throw .malformed }
        self.seconds = seconds
        self.signature = Array(signature)
    }

    /// The text for the registration.
    ///
    /// - Parameter expiresAt: rounded down to seconds.
    public static func text(
        for claim: Claim, until expiresAt: Instant, key: SigningKey
    ) throws(AccountProofError) -> String {
        let seconds = expiresAt.millisecondsSinceEpoch / 1_000
        return "\(seconds).\(Data(key.signature(of: try claim.signed(until: seconds))).base64URL)"
    }

    /// Compares in constant time.
    ///
    /// - Parameter keys: the app's account keys; there are two while one is replaced.
    public func check(_ claim: Claim, keys: [SigningKey], now: Instant) throws(AccountProofError) {
        guard !keys.isEmpty else { throw .noKey }
        let today = now.millisecondsSinceEpoch / 1_000
        guard seconds <= today + Self.longestDays * 86_400 else { throw .tooLong }
        guard seconds > today else { throw .expired }
        let signed = try claim.signed(until: seconds)
        let isValid = keys.contains { $0.signature(of: signed) == signature }
        guard isValid else { throw .wrongSignature }
    }
}

public enum AccountProofError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    case lineFeed
    case noKey
    case expired
    case tooLong
    case wrongSignature

    public var description: String {
        switch self {
        case .malformed:
            "account_proof must be seconds since 1970, a dot, and 32 bytes in base64url, as landfall sign account prints it"
        case .lineFeed: "an account or tag that contains a line feed cannot be signed"
        case .noKey: "the app has no account key: create one with landfall key create --kind account"
        case .expired: "account_proof has expired: let the app's backend sign again"
        case .tooLong:
            "account_proof expires more than \(AccountProof.longestDays) days from now: the time must be in seconds, "
                + "not milliseconds, since 1970"
        case .wrongSignature:
            "account_proof was made for another account, tags or device, or with another key: sign the lines v1, account, each "
                + "tag, device_id and the seconds, joined by line feeds"
        }
    }
}
