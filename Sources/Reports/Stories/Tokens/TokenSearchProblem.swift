internal import TokenLifecycle

/// The reason why no token was found. The user's input is not repeated, because it may be the value of a token.
public enum TokenSearchProblem: Error, Equatable, Sendable, CustomStringConvertible {
    case unknown(app: String, knownIn: [String])
    case noTokenKey
    case noFingerprint

    /// The problem for a reader who must not learn what other apps know.
    public var aboutItsAppAlone: TokenSearchProblem {
        guard case .unknown(let app, _) = self else { return self }
        return .unknown(app: app, knownIn: [])
    }

    public var description: String {
        switch self {
        case .unknown(let app, let knownIn):
            if let other = knownIn.first {
                "app '\(app)' has no such token, but '\(knownIn.joined(separator: "', '"))' has: use --app "
                    + "\(other)"
            } else {
                "app '\(app)' has no such token. It was never registered (PUT /v1/devices/{device_id}) or "
                    + "named in a response, or it is written differently: APNs tokens are hex, all others "
                    + "must match exactly"
            }
        case .noTokenKey:
            "\(Self.keyNeeded). Or specify the token by its fingerprint or number"
        case .noFingerprint:
            "no fingerprint begins with this. If it is the value of a token: \(Self.keyNeeded)"
        }
    }

    private static let keyNeeded =
        "finding a token by its value requires the server's token key, which is not available here: set "
        + "\(TokenKey.environmentVariable), or copy token.key from the server's data folder to LANDFALL_DATA"
}
