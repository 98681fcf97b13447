/// The digest of a presented key. The key itself is never remembered.
public struct KeyDigest: Hashable, Sendable {
    public let bytes: [UInt8]

    /// `nil` if the text cannot be a key.
    public init?(of text: some StringProtocol) {
        guard text.hasPrefix("lf_"), text.utf8.count < 100 else { return nil }
        bytes = APIKey.digest(of: String(text))
    }
}
