/// What a device token is for. An installation has one current token per kind, environment and topic.
public enum TokenKind: String, CaseIterable, Sendable {
    case alert
    case voip
    case liveActivityStart = "live_activity_start"
    case liveActivityUpdate = "live_activity_update"
    case webPush = "web_push"
    case fcm

    /// The provider that hands out tokens of this kind.
    public var provider: String {
        switch self {
        case .alert, .voip, .liveActivityStart, .liveActivityUpdate: "apns"
        case .webPush: "webpush"
        case .fcm: "fcm"
        }
    }

    /// The kind that a push of this type to this provider goes to, when the sender does not say.
    public static func inferred(provider: String, pushType: String) -> TokenKind {
        if provider.hasPrefix("webpush") { return .webPush }
        if provider.hasPrefix("fcm") { return .fcm }
        switch PushType(rawValue: pushType) {
        case .voip: return .voip
        case .liveActivity: return .liveActivityUpdate
        default: return .alert
        }
    }

    /// Kinds whose tokens show notifications: an installation with an active one is in the audience.
    public static let alerting: [TokenKind] = [.alert, .webPush, .fcm]

    public static let longestValue = 1_024

    /// The one spelling under which a value is known: APNs tokens are bytes, so their hex is lower-cased; the others are
    /// text and stay as they are. Nil when it cannot be a token of this kind: empty, longer than 1,024 bytes, with white
    /// space or control characters, or (APNs) not an even number of hex digits.
    public func normalize(_ value: String) -> String? {
        guard !value.isEmpty, value.utf8.count <= Self.longestValue,
            value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        guard provider == "apns" else { return value }
        guard value.utf8.count.isMultiple(of: 2), value.utf8.allSatisfy(\.isHexDigit) else { return nil }
        return value.lowercased()
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
