/// The place of a sealed text. The text is authenticated with it, so that a row copied to another app, or to a table for another
/// purpose, cannot be read there.
public enum SealedPlace: Hashable, Sendable {
    case token(ofApp: Int64)
    case quarantine(ofApp: Int64)
    case signingKey(ofApp: Int64)

    /// The additional authenticated data of AES-GCM, such as `landfall token 17`. Part of the stored format: never change it.
    var authenticated: [UInt8] {
        switch self {
        case .token(let appID): Array("landfall token \(appID)".utf8)
        case .quarantine(let appID): Array("landfall quarantine \(appID)".utf8)
        case .signingKey(let appID): Array("landfall signing key \(appID)".utf8)
        }
    }
}
