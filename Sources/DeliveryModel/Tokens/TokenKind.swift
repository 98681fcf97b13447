/// A device token's purpose. An installation's tokens of one kind, environment and topic follow one another.
public enum TokenKind: String, CaseIterable, Sendable {
    case alert
    case voip
    case liveActivityStart = "live_activity_start"
    case liveActivityUpdate = "live_activity_update"
    case widget
    case control
    case pushToTalk = "push_to_talk"
    case complication
    case fileProvider = "file_provider"
    case location
    case mdm
    /// A token for a push type that Landfall does not know.
    case other
    case webPush = "web_push"
    case fcm
    /// A Firebase installation ID, which FCM accepts instead of a registration token.
    case fid
    case expo
    case hms
    case xiaomi
    case oppo
    case vivo
    case honor
    case oneSignal = "onesignal"
    case customerIO = "customerio"
    case sns

    /// The provider that issues tokens of this kind.
    public var provider: String {
        switch self {
        case .alert, .voip, .liveActivityStart, .liveActivityUpdate, .widget, .control, .pushToTalk,
            .complication,
            .fileProvider, .location, .mdm, .other:
            "apns"
        case .webPush: "webpush"
        case .fcm, .fid: "fcm"
        case .expo, .hms, .xiaomi, .oppo, .vivo, .honor, .oneSignal, .customerIO, .sns: rawValue
        }
    }

    /// Reads a kind's name, an Apple push type, or a provider (`huawei`). Case, `-` and spaces do not matter.
    public init?(named word: String) {
        if let kind = TokenKind(rawValue: word) ?? Self.named[word] {
            self = kind
            return
        }
        let folded = Provider.folded(word)
        if let kind = TokenKind(rawValue: folded) ?? Self.named[folded] {
            self = kind
        } else if let provider = Provider.read(folded)?.provider,
            case let issuer = Self.issuer(ofTokensOf: provider), Self.canRegister(issuer)
        {
            self = .inferred(provider: issuer)
        } else {
            return nil
        }
    }

    /// Apple's push types whose names differ from those of the kinds.
    private static let named: [String: TokenKind] = [
        "background": .alert, "liveactivity": .liveActivityUpdate, "live_activity": .liveActivityUpdate,
        "widgets": .widget, "controls": .control, "pushtotalk": .pushToTalk, "fileprovider": .fileProvider,
    ]

    /// The issuer of the tokens in this provider's responses: `webpush_apple` responds about Web Push
    /// subscriptions, `apns_binary_legacy` about APNs tokens. Other providers issue their own.
    public static func issuer(ofTokensOf provider: String) -> String {
        if let issuer = ["apns", "webpush", "fcm"].first(where: { provider.hasPrefix($0) }) { return issuer }
        guard provider.hasSuffix("_receipt") else { return provider }
        let vendor = String(provider.dropLast("_receipt".count))
        return Provider.read(vendor)?.provider ?? vendor
    }

    /// The kind of token for a push of this type to this topic, if the sender does not state it. With APNs,
    /// the suffix of the topic says what the push type leaves out; an unknown push type needs tokens of its
    /// own, which show nothing.
    public static func inferred(provider: String, pushType: String = "", topic: String = "") -> TokenKind {
        switch issuer(ofTokensOf: provider) {
        case "apns": break
        case "webpush": return .webPush
        case "fcm": return .fcm
        case let issuer: return TokenKind(rawValue: issuer) ?? .alert
        }
        let ofTopic = Self.suffixes.first { topic.hasSuffix($0.suffix) }?.kind
        switch pushType {
        case "", "alert", "background": return ofTopic ?? .alert
        default:
            let ofType = TokenKind(rawValue: pushType) ?? Self.named[pushType]
            return ofType.flatMap { $0.provider == "apns" ? $0 : nil } ?? ofTopic ?? .other
        }
    }

    /// The kind of a token of this kind issued for the topic: APNs shows nothing sent to a suffixed topic.
    public func refined(byTopic topic: String) -> TokenKind {
        self == .alert ? .inferred(provider: provider, topic: topic) : self
    }

    /// The kind by the form of the value, if the issuer is FCM, which moves apps from registration tokens to
    /// installation ids: libraries return one through the callback of the other, and FCM calls a value dead
    /// that is sent to as the other kind (https://github.com/firebase/firebase-ios-sdk/issues/16429).
    public func refined(byValue value: String) -> TokenKind {
        switch self {
        case .fid where value.utf8.contains(UInt8(ascii: ":")): .fcm
        case .fcm where Self.isInstallationID(value): .fid
        default: self
        }
    }

    /// 22 digits of base64url for 17 bytes, of which the first four bits are 0111.
    private static func isInstallationID(_ value: String) -> Bool {
        let digits = value.utf8
        return digits.count == 22 && (UInt8(ascii: "c")...UInt8(ascii: "f")).contains(digits.first ?? 0)
            && value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    /// The kind of the slot that a token of this kind takes. An installation has either a registration token
    /// of FCM or an installation id, so one follows the other.
    public var slotKind: TokenKind { self == .fid ? .fcm : self }

    /// The suffixes that APNs requires after the bundle id.
    private static let suffixes: [(suffix: String, kind: TokenKind)] = [
        (".voip", .voip), (".push-type.liveactivity", .liveActivityUpdate), (".push-type.widgets", .widget),
        (".push-type.controls", .control), (".voip-ptt", .pushToTalk), (".complication", .complication),
        (".pushkit.fileprovider", .fileProvider), (".location-query", .location),
    ]

    static func bundleID(inTopic topic: String) -> Substring {
        guard let suffix = suffixes.first(where: { topic.hasSuffix($0.suffix) })?.suffix else {
            return topic[...]
        }
        return topic.dropLast(suffix.count)
    }

    /// Whether an app can register tokens of this issuer. Tokens of others are known only from responses.
    public static func canRegister(_ issuer: String) -> Bool { registrable.contains(issuer) }

    private static let registrable = Set(allCases.map(\.provider))

    /// Whether a push that names the other kind may have been sent to a token of this kind. Senders seldom
    /// say which of the Live Activity tokens they used.
    public func isCompatible(with other: TokenKind) -> Bool {
        channel == other.channel || other == .other || self == .other
    }

    private var channel: TokenKind {
        switch self {
        case .liveActivityStart: .liveActivityUpdate
        case .fid: .fcm
        default: self
        }
    }

    /// Kinds whose tokens show notifications: an installation with an active one is in the audience.
    public static let alerting: [TokenKind] = [
        .alert, .webPush, .fcm, .fid, .expo, .hms, .xiaomi, .oppo, .vivo, .honor, .oneSignal, .customerIO,
        .sns,
    ]

    public static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
