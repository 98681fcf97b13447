/// A device token as named by a sender or an app.
public struct TokenAddress: Hashable, Sendable {
    /// The issuer: `apns`, `fcm`, `webpush`, or a vendor's own name.
    public var provider: String
    public var environment: Environment
    /// Empty if it was not stated.
    public var topic: String
    public var kind: TokenKind
    /// ``TokenValue/canonical``. A secret, as is ``text``: never logged, never in an error.
    public var value: String
    /// ``TokenValue/text``: the value that feeds return. It is no part of the token's identity.
    public var text: String

    public init(
        provider: String, environment: Environment, topic: String, kind: TokenKind, value: String,
        text: String? = nil
    ) {
        (self.provider, self.environment, self.topic) = (provider, environment, topic)
        (self.kind, self.value) = (kind, value)
        self.text = text ?? value
    }

    public static func == (left: TokenAddress, right: TokenAddress) -> Bool {
        left.value == right.value && left.provider == right.provider && left.environment == right.environment
            && left.topic == right.topic && left.kind == right.kind
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
        hasher.combine(topic)
        hasher.combine(environment)
        hasher.combine(kind)
    }
}

/// The APNs environment a token belongs to. Other providers have only `production`.
public enum Environment: String, CaseIterable, Decodable, Sendable {
    case production
    case sandbox

    /// Reads the environment as senders write it. Apple's entitlement says `development`.
    public init?(posted: String) {
        switch posted.canonicalName.lowercased() {
        case "production", "prod": self = .production
        case "sandbox", "development", "dev", "debug": self = .sandbox
        default: return nil
        }
    }
}

/// The issuer, environment and topic of a token, as an app registered them or a response named them.
public struct TokenPlace: Hashable, Sendable {
    public var provider: String
    public var environment: Environment
    /// Empty if unknown.
    public var topic: String

    public init(provider: String, environment: Environment, topic: String) {
        (self.provider, self.environment, self.topic) = (provider, environment, topic)
    }

    /// Whether a response that names this place is about the token at the other. A value is one token under
    /// any name of its provider or topic. Only APNs values can be dead in one place and alive in another: in
    /// the other environment, or under another app's bundle id, because a Mac gives two apps one value.
    public func concerns(_ other: TokenPlace) -> Bool {
        guard provider == "apns", other.provider == "apns" else { return true }
        guard environment == other.environment else { return false }
        return topic.isEmpty || other.topic.isEmpty
            || TokenKind.bundleID(inTopic: topic) == TokenKind.bundleID(inTopic: other.topic)
    }
}
