internal import ArgumentParser
internal import DeliveryModel
internal import Reports

/// A token as the user specified it. It is never printed, because it may be the value.
struct TokenName {
    /// The lookups to try, in this order. A number and a fingerprint come first, because they need no key; 64 hex digits may be
    /// either a fingerprint or a value.
    let names: [StorySearch.TokenName]
    /// The normalized forms of the text if it is a value.
    let values: [String]

    static let shortestFingerprint = 8

    init(_ typed: String) throws {
        if typed.hasPrefix("#") {
            guard let tokenID = Int64(typed.dropFirst()), tokenID > 0 else {
                throw Self.mistake("# must be followed by a number, such as '#12'")
            }
            names = [.tokenID(tokenID)]
            values = []
            return
        }
        guard !typed.isEmpty else { throw Self.mistake("no token was specified") }
        let isShort = typed.utf8.count < Self.shortestFingerprint
        if isShort, let tokenID = Int64(typed), tokenID > 0 {
            throw Self.mistake("a number must begin with # and be quoted: '#\(tokenID)'")
        }
        let isHex = typed.allSatisfy { $0.isASCII && $0.isHexDigit }
        names = isHex && !isShort && typed.utf8.count <= 64 ? [.fingerprint(typed.lowercased())] : []
        values = Set(["apns", "fcm"].compactMap { TokenKind.normalize(typed, issuer: $0) }).sorted()
        guard !names.isEmpty || !values.isEmpty else {
            throw Self.mistake("this is not a token: values have no spaces and at most 1,024 bytes")
        }
    }

    private static func mistake(_ text: String) -> ValidationError {
        ValidationError(
            text.prefix(1).uppercased() + text.dropFirst() + ". See landfall explain token --help.")
    }
}
