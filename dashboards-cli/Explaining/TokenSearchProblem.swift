internal import TokenLifecycle

/// Why no token was found. What was typed is not repeated: it may be the value of a token.
enum TokenSearchProblem: Error, Equatable, CustomStringConvertible {
    case unknown(app: String, knownIn: [String])
    case noTokenKey
    case noFingerprint

    var description: String {
        switch self {
        case .unknown(let app, let knownIn):
            if let other = knownIn.first {
                "the app '\(app)' knows no such token, but '\(knownIn.joined(separator: "', '"))' does: --app \(other)"
            } else {
                "the app '\(app)' knows no such token. It was never registered (PUT /v1/devices/{device_id}) nor named in an "
                    + "answer, or it is spelled otherwise: APNs tokens are hex, all others are text to the letter"
            }
        case .noTokenKey:
            "\(Self.keyNeeded). Or name the token by its fingerprint or number"
        case .noFingerprint:
            "no fingerprint begins like this. If it is the value of a token: \(Self.keyNeeded)"
        }
    }

    private static let keyNeeded =
        "finding a token by its value takes the server's token key, and there is none here: set "
        + "\(TokenKey.environmentVariable), or copy token.key from the server's data folder to LANDFALL_DATA"
}
