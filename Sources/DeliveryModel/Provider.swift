/// The name of a push provider in an event: a single spelling for each, whatever the sender writes.
///
/// A token belongs to its provider, so a second spelling would create a second token with the same value.
/// Unknown names are therefore rejected, not recorded.
public enum Provider {
    /// The meaning of a sender's word.
    public struct Reading: Hashable, Sendable {
        public let provider: String
        /// The environment that the word itself names, as in `apns_sandbox`; `nil` if it names none.
        public let environment: Environment?
    }

    /// The providers that every app may name. Those with `_receipt` and `_legacy` are reported through
    /// channels of their own.
    public static let known: [String] = [
        "apns", "apns_broadcast", "apns_binary_legacy", "apns_feedback_legacy", "fcm", "webpush",
        "webpush_apple", "hms", "expo", "xiaomi", "oppo", "vivo", "honor", "onesignal", "customerio", "sns",
        "inapp", "huawei_receipt", "xiaomi_receipt", "oppo_receipt", "vivo_receipt", "honor_receipt",
    ]

    /// Other names of the same providers, in lower case with `_`.
    private static let aliases: [String: String] = [
        "apn": "apns", "apple": "apns", "ios": "apns", "apns2": "apns", "apns_http2": "apns", "macos": "apns",
        "gcm": "fcm", "firebase": "fcm", "android": "fcm", "fcm_v1": "fcm", "fcm_http_v1": "fcm",
        "web_push": "webpush", "web": "webpush", "vapid": "webpush",
        "web_push_apple": "webpush_apple", "safari": "webpush_apple",
        "huawei": "hms", "hcm": "hms", "hms_push": "hms", "huawei_push": "hms", "huawei_push_kit": "hms",
        "expo_push": "expo", "exponent": "expo",
        "mi": "xiaomi", "mipush": "xiaomi", "mi_push": "xiaomi",
        "one_signal": "onesignal", "customer.io": "customerio", "customer_io": "customerio",
        "aws_sns": "sns", "amazon_sns": "sns", "in_app": "inapp",
        "wns": "webpush", "windows": "webpush", "edge": "webpush",
    ]

    /// Suffixes that name the environment as well.
    private static let environments: [(suffix: String, environment: Environment)] = [
        ("_sandbox", .sandbox), ("_development", .sandbox), ("_dev", .sandbox),
        ("_production", .production), ("_prod", .production),
    ]

    private static let readings: [String: Reading] = {
        var readings: [String: Reading] = [:]
        for (word, provider) in known.map({ ($0, $0) }) + aliases.map({ ($0.key, $0.value) }) {
            readings[word] = Reading(provider: provider, environment: nil)
            guard provider == "apns" else { continue }
            for (suffix, environment) in environments {
                readings[word + suffix] = Reading(provider: provider, environment: environment)
            }
        }
        return readings
    }()

    /// Reads a sender's word; `nil` if it is unknown. Case, `-` and spaces do not matter, and common aliases
    /// are understood. `additional` are names that the app has added (`landfall app set providers`).
    public static func read(_ word: String, additional: [String] = []) -> Reading? {
        if let reading = readings[word] { return reading }
        let folded = folded(word)
        if let reading = readings[folded] { return reading }
        return additional.contains(folded) ? Reading(provider: folded, environment: nil) : nil
    }

    /// The word in lower case, with `_` for `-` and spaces.
    static func folded(_ word: String) -> String {
        String(
            String.UnicodeScalarView(
                word.lowercased().unicodeScalars.map { $0 == "-" || $0 == " " ? "_" : $0 }))
    }

    public static func list(additional: [String] = []) -> String {
        (known.filter { !hasCodes($0) } + additional).joined(separator: ", ")
    }

    /// Whether the status is the provider's own code, as in vendors' receipts and Apple's binary protocol.
    /// Their 0 is a response.
    public static func hasCodes(_ provider: String) -> Bool {
        provider.hasSuffix("_receipt") || provider.hasSuffix("_legacy")
    }

    /// Whether its pushes show notifications by themselves, so that a device can report their arrival. A
    /// sender's own channels, such as an in-app socket, do not: the app shows what it received.
    public static func isPushService(_ provider: String) -> Bool { pushServices.contains(provider) }

    private static let pushServices = Set(known).subtracting(["inapp"])

    /// The provider as the item itself shows it, under any name that the sender uses: a push to a channel is
    /// a broadcast, and the host of an endpoint is Apple's or not.
    public static func speaking(_ provider: String, isToChannel: Bool, token: String?) -> String {
        switch provider {
        case "apns" where isToChannel: "apns_broadcast"
        case "webpush" where token.map(isApples) ?? false: "webpush_apple"
        default: provider
        }
    }

    private static func isApples(_ endpoint: String) -> Bool {
        let rest = endpoint.utf8.drop { $0 != UInt8(ascii: "/") }
        guard rest.starts(with: "//".utf8) else { return false }
        return rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }.reversed().starts(
            with: ".push.apple.com".utf8.reversed())
    }
}

/// `apns-push-type`, an open vocabulary.
public struct PushType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a word as senders write it. Libraries spell Apple's types in their own way: `Alert`,
    /// `LIVE_ACTIVITY`, `push-to-talk`.
    public init(posted: String) {
        let folded = posted.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
        let isApples = folded.utf8.allSatisfy { $0 < 0x80 } && Self.known.contains(folded)
        rawValue = isApples ? folded : posted
    }

    private static let known: Set = [
        "alert", "background", "voip", "location", "complication", "fileprovider", "mdm", "liveactivity",
        "pushtotalk", "widgets", "controls",
    ]

    public static let alert = PushType(rawValue: "alert")
    public static let voip = PushType(rawValue: "voip")
}
