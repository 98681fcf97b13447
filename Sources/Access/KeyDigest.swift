/// What is remembered of a key somebody presented: never the key itself.
public struct KeyDigest: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Nil for a text that cannot be a key.
    public init?(of text: some StringProtocol) {
        guard text.hasPrefix("lf_"), text.utf8.count < 100 else { return nil }
        bytes = APIKey.digest(of: String(text))
    }
}
