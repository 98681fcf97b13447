public import Trust

/// The app and kind of a valid key.
public struct Credential: Hashable, Sendable {
    public let keyID: Int64
    public let kind: APIKey.Kind
    public let app: App
    /// What the app demands of devices.
    public let trust: TrustRules

    public init(keyID: Int64, kind: APIKey.Kind, app: App, trust: TrustRules = TrustRules()) {
        self.keyID = keyID
        self.kind = kind
        self.app = app
        self.trust = trust
    }
}
