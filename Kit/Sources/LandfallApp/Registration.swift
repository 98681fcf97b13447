public import Foundation
internal import LandfallCore

/// Everything that the server should know about this installation. The latest counts.
public struct Registration: Hashable, Sendable {
    public enum TokenKind: String, CaseIterable, Sendable {
        case alert
        case voip
        case liveActivityStart = "live_activity_start"
        case liveActivityUpdate = "live_activity_update"
        case fcm
    }

    public struct Token: Hashable, Sendable {
        public var value: String
        public var kind: TokenKind
        /// `production` or `sandbox`.
        public var environment: String
        /// What the sender names as `apns-topic`.
        public var topic: String

        /// - Parameters:
        ///   - value: as APNs gave it.
        ///   - bundleID: the app's.
        public init(_ value: Data, kind: TokenKind = .alert, environment: String, bundleID: String) {
            self.value = value.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
            self.kind = kind
            self.environment = environment
            topic =
                switch kind {
                case .alert, .fcm: bundleID
                case .voip: bundleID + ".voip"
                case .liveActivityStart, .liveActivityUpdate: bundleID + ".push-type.liveactivity"
                }
        }

        /// A token of this app, with the environment of its provisioning profile and the bundle's id.
        public init(_ value: Data, kind: TokenKind) {
            self.init(
                value, kind: kind, environment: APNsEnvironment.current,
                bundleID: Bundle.main.bundleIdentifier ?? "")
        }

        /// A token that is a text, as Firebase's is.
        public init(
            text: String, kind: TokenKind = .fcm, environment: String = "production", topic: String = ""
        ) {
            value = text
            self.kind = kind
            self.environment = environment
            self.topic = topic
        }
    }

    public var tokens: [Token] = []
    public var traits: DeviceTraits
    /// `authorized`, `provisional`, `ephemeral`, `denied` or `not_determined`.
    public var permission: String?
    /// What the user allows: `alert`, `sound`, `badge`, `lock_screen`, `notification_center`.
    public var settings: [String: Bool] = [:]
    /// Why the system gave no token, `NSCocoaErrorDomain 3000`.
    public var error: String?
    /// Categories of notifications that the app has not registered; `nil` if it has seen no notification with
    /// a category.
    public var missingCategories: [String]?
    /// Who is signed in; empty after signing out, `nil` if the app did not say.
    public var account: String?
    public var tags: [String]?
    /// What the app's backend signed for account and tags.
    public var accountProof: String?

    public init(traits: DeviceTraits) {
        self.traits = traits
    }

    /// Each token replaces the one of its kind, environment and topic. Only the tokens that update Live
    /// Activities are all kept, because every running activity has its own: ``replace(_:with:)`` removes one.
    public mutating func add(_ token: Token) {
        tokens.removeAll {
            $0 == token
                || token.kind != .liveActivityUpdate
                    && ($0.kind, $0.environment, $0.topic) == (token.kind, token.environment, token.topic)
        }
        tokens.append(token)
        error = nil
    }

    /// Removes a token, such as that of a Live Activity that has ended, and adds the other if there is one.
    public mutating func replace(_ old: Token?, with new: Token?) {
        tokens.removeAll { $0 == old }
        if let new { add(new) }
    }

    /// The body of the request.
    var fields: [String: Any] {
        var fields: [String: Any] = [
            "platform": traits.platform, "os_version": traits.osVersion, "time_zone": traits.timeZone,
            "kit": KitVersion.current,
            "tokens": tokens.map { token in
                [
                    "value": token.value, "kind": token.kind.rawValue, "environment": token.environment,
                    "topic": token.topic,
                ]
            },
        ]
        fields["app_version"] = traits.appVersion
        fields["language"] = traits.language
        fields["model"] = traits.model
        fields["permission"] = permission
        if !settings.isEmpty { fields["settings"] = settings }
        fields["registration_error"] = error
        fields["missing_categories"] = missingCategories
        fields["account"] = account
        fields["tags"] = tags
        fields["account_proof"] = accountProof
        return fields
    }

    /// The body, the same bytes for the same registration.
    var body: Data {
        (try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])) ?? Data()
    }
}
