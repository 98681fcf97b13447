public import Trust

/// The app and kind of a valid key.
public struct Credential: Hashable, Sendable {
    public let keyID: Int64
    public let kind: APIKey.Kind
    public let app: App
    /// What the app demands of devices.
    public internal(set) var trust = TrustRules()
}
