/// The purpose of a device token. An installation has one current token per kind, environment and topic.
public enum TokenKind: String, CaseIterable, Sendable {
    case alert
    case voip
    case liveActivityStart = "live_activity_start"
    case liveActivityUpdate = "live_activity_update"
    case webPush = "web_push"
    case fcm

    /// The provider that issues tokens of this kind.
    public var provider: String {
        switch self {
        case .alert, .voip, .liveActivityStart, .liveActivityUpdate: "apns"
        case .webPush: "webpush"
        case .fcm: "fcm"
        }
    }

    /// The issuer of the tokens in this provider's responses: `webpush_apple` responds about Web Push subscriptions,
    /// `apns_binary_legacy` about APNs tokens. Other providers issue their own.
    public static func issuer(ofTokensOf provider: String) -> String {
        if let issuer = ["apns", "webpush", "fcm"].first(where: { provider.hasPrefix($0) }) { return issuer }
        guard provider.hasSuffix("_receipt") else { return provider }
        let vendor = String(provider.dropLast("_receipt".count))
        return Provider.read(vendor)?.provider ?? vendor
    }

    /// The kind of token for a push of this type to this provider, if the sender does not say.
    public static func inferred(provider: String, pushType: String) -> TokenKind {
        switch issuer(ofTokensOf: provider) {
        case "webpush": return .webPush
        case "fcm": return .fcm
        default: break
        }
        switch PushType(rawValue: pushType) {
        case .voip: return .voip
        case .liveActivity: return .liveActivityUpdate
        default: return .alert
        }
    }

    /// Whether an app can register tokens of this issuer. Tokens of others are known only from responses.
    public static func canRegister(_ issuer: String) -> Bool { allCases.contains { $0.provider == issuer } }

    /// Whether a push that names the other kind may have been sent to a token of this kind. Senders seldom say which of the Live
    /// Activity tokens they used.
    public func isCompatible(with other: TokenKind) -> Bool { channel == other.channel }

    private var channel: TokenKind { self == .liveActivityStart ? .liveActivityUpdate : self }

    /// Kinds whose tokens show notifications: an installation with an active one is in the audience.
    public static let alerting: [TokenKind] = [.alert, .webPush, .fcm]

    public static let longestValue = 2_048

    /// The normalized spelling of a value. APNs tokens are bytes, so their hex is lowercased; the others are text and stay as
    /// they are. Returns `nil` if it cannot be a token of this issuer: empty, longer than 2,048 bytes, with white space or
    /// control characters, or (APNs) not an even number of hex digits.
    public static func normalize(_ value: String, issuer: String) -> String? {
        var value = value
        let spelling = value.withUTF8 { Spelling($0) }
        guard (1...longestValue).contains(spelling.count), !spelling.hasSpace else { return nil }
        guard issuer == "apns" else { return value }
        guard spelling.isHex, spelling.count.isMultiple(of: 2) else { return nil }
        return spelling.hasUpperCase ? value.lowercased() : value
    }
}

/// The properties of a value, found in one pass over its bytes, because every response of every provider names a token.
private struct Spelling {
    let count: Int
    /// White space or control characters.
    private(set) var hasSpace = false
    private(set) var isHex = true
    private(set) var hasUpperCase = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        count = bytes.count
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): break
            case UInt8(ascii: "A")...UInt8(ascii: "F"): hasUpperCase = true
            default:
                isHex = false
                if byte <= 0x20 || byte == 0x7F { hasSpace = true }
            }
        }
    }
}
