/// The place of a sealed text. The text is authenticated with it, so that a row copied to another app, or to a table for another
/// purpose, cannot be read there.
public struct SealedPlace: Hashable, Sendable {
    public enum Purpose: String, Sendable {
        case token
        case quarantine
        case signingKey = "signing key"
    }

    public let purpose: Purpose
    public let appID: Int64

    public static func token(ofApp appID: Int64) -> SealedPlace {
        SealedPlace(purpose: .token, appID: appID)
    }

    public static func quarantine(ofApp appID: Int64) -> SealedPlace {
        SealedPlace(purpose: .quarantine, appID: appID)
    }

    public static func signingKey(ofApp appID: Int64) -> SealedPlace {
        SealedPlace(purpose: .signingKey, appID: appID)
    }

    /// The additional authenticated data of AES-GCM, such as `landfall token 17`. Part of the stored format: never change it.
    var authenticated: [UInt8] { Array("landfall \(purpose.rawValue) \(appID)".utf8) }
}
