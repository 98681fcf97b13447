internal import Crypto
internal import Foundation

/// The keys of a Web Push subscription, for which a sender encrypts the payload (RFC 8291, 2). Secrets, as is
/// the endpoint: never logged, never in an error.
public struct WebPushKeys: Hashable, Sendable {
    /// Why two texts are not the keys of a subscription.
    public enum Fault: Error, Hashable, Sendable {
        case isIncomplete
        case notAPublicKey
        case notASecret

        /// The fault and its fix, as a sentence without a period.
        public var advice: String {
            switch self {
            case .isIncomplete:
                "p256dh and auth belong together: send both, as PushSubscription.toJSON() does"
            case .notAPublicKey:
                "p256dh must be the 65 bytes of PushSubscription.getKey(\"p256dh\") as base64url, a point of the curve P-256"
            case .notASecret:
                "auth must be the 16 bytes of PushSubscription.getKey(\"auth\") as base64url"
            }
        }
    }

    /// The browser's public key, an uncompressed point of P-256, and its authentication secret: 81 bytes.
    public let bytes: [UInt8]

    private static let pointBytes = 65
    private static let secretBytes = 16

    /// Reads base64url or base64, with or without padding.
    ///
    /// - Returns: `nil` if neither text is there.
    public static func read(p256dh: String?, auth: String?) throws(Fault) -> WebPushKeys? {
        if p256dh == nil, auth == nil { return nil }
        guard let p256dh, let auth else { throw .isIncomplete }
        guard let point = Data(base64OfEitherAlphabet: p256dh), isPoint(point) else { throw .notAPublicKey }
        guard let secret = Data(base64OfEitherAlphabet: auth), secret.count == secretBytes else {
            throw .notASecret
        }
        return WebPushKeys(checked: Array(point + secret))
    }

    /// - Parameter bytes: ``bytes`` of other keys; `nil` if there are not 81.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.pointBytes + Self.secretBytes else { return nil }
        self.init(checked: bytes)
    }

    private init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Base64url without padding, 87 characters: the form that browsers give and senders' libraries expect.
    public var p256dh: String { Self.text(bytes.prefix(Self.pointBytes)) }
    /// Base64url without padding, 22 characters.
    public var auth: String { Self.text(bytes.dropFirst(Self.pointBytes)) }

    /// Whether a sender could encrypt for these bytes: a point that is not on the curve has no shared secret.
    private static func isPoint(_ bytes: Data) -> Bool {
        bytes.count == pointBytes && (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension Data {
    /// Reads base64 and base64url (RFC 4648, 4 and 5); padding is optional.
    fileprivate init?(base64OfEitherAlphabet text: String) {
        var digits = text.replacing("-", with: "+").replacing("_", with: "/")
        while digits.last == "=" { digits.removeLast() }
        self.init(base64Encoded: digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4))
    }
}
