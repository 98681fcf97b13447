internal import DeliveryModel

/// A token as the user specified it. It is never printed, because it may be the value.
public struct TokenName: Sendable {
    /// The lookups to try, in this order. A number and a fingerprint come first, because they need no key; 64 hex digits may be
    /// either a fingerprint or a value.
    let names: [StorySearch.TokenName]
    /// The normalized forms of the text if it is a value.
    let values: [String]

    static let shortestFingerprint = 8

    /// - Throws: ``TokenNameMistake``.
    public init(_ typed: String) throws(TokenNameMistake) {
        if typed.hasPrefix("#") {
            guard let tokenID = Int64(typed.dropFirst()), tokenID > 0 else {
                throw TokenNameMistake(description: "# must be followed by a number, such as #12")
            }
            names = [.tokenID(tokenID)]
            values = []
            return
        }
        guard !typed.isEmpty else { throw TokenNameMistake(description: "no token was specified") }
        let isShort = typed.utf8.count < Self.shortestFingerprint
        if isShort, let tokenID = Int64(typed), tokenID > 0 {
            throw TokenNameMistake(description: "a number must begin with #: #\(tokenID)")
        }
        let isHex = typed.allSatisfy { $0.isASCII && $0.isHexDigit }
        names = isHex && !isShort && typed.utf8.count <= 64 ? [.fingerprint(typed.lowercased())] : []
        let issuers = Set(TokenKind.allCases.map(\.provider))
        values = Set(issuers.compactMap { try? TokenValue.read(typed, issuer: $0).get().canonical }).sorted()
        guard !names.isEmpty || !values.isEmpty else {
            throw TokenNameMistake(
                description:
                    "this is not a token: values have no spaces and at most 1,024 bytes, endpoints 2,048")
        }
    }
}

/// The text is not the name of a token. It is not repeated, because it may be the value of one.
public struct TokenNameMistake: Error, Hashable, CustomStringConvertible {
    public let description: String
}
