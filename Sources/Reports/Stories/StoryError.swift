public import Basics
public import Foundation
internal import Vault

/// The reasons why there is no story. The user's name for a token is not repeated: it may be its value.
public enum StoryError: Error, Hashable, Sendable {
    case unknownToken(app: String, knownIn: [String])
    /// It can only be a value, which cannot be looked up.
    case noTokenKey
    /// No fingerprint begins with it, and a value cannot be looked up.
    case noFingerprint
    case unknownDevice(UUID, app: String, knownIn: [String])
    /// `sentAt` is the time in the id, `keptFrom` the day before which everything was dropped.
    case unknownNotification(UUID, app: String, knownIn: [String], sentAt: Instant?, keptFrom: Instant?)

    /// The error for a reader who must not learn what other apps know.
    public var aboutItsAppAlone: StoryError {
        switch self {
        case .noTokenKey, .noFingerprint: self
        case .unknownToken(let app, _): .unknownToken(app: app, knownIn: [])
        case .unknownDevice(let deviceID, let app, _): .unknownDevice(deviceID, app: app, knownIn: [])
        case .unknownNotification(let id, let app, _, let sentAt, let keptFrom):
            .unknownNotification(id, app: app, knownIn: [], sentAt: sentAt, keptFrom: keptFrom)
        }
    }
}

extension StoryError: CustomStringConvertible {
    /// Says where to search.
    public var description: String {
        switch self {
        case .unknownToken(let app, let knownIn):
            "app '\(app)' has no such token"
                + (Self.elsewhere(knownIn)
                    ?? ". It was never registered (PUT /v1/devices/{device_id}) or named in a response, or it "
                    + "is written differently: APNs tokens are hex, all others must match exactly")
        case .noTokenKey:
            "\(Self.keyNeeded). Or specify the token by its fingerprint or number"
        case .noFingerprint:
            "no fingerprint begins with this. If it is the value of a token: \(Self.keyNeeded)"
        case .unknownDevice(let deviceID, let app, let knownIn):
            "app '\(app)' has no device \(deviceID.text)"
                + (Self.elsewhere(knownIn)
                    ?? ". It has not registered here (PUT /v1/devices/{device_id}). Check that this is the "
                    + "id that the app created, and not a token, a vendor id or an account")
        case .unknownNotification(let id, let app, let knownIn, let sentAt, let keptFrom):
            "app '\(app)' has no notification \(id.text)"
                + (Self.elsewhere(knownIn) ?? Self.dropped(sentAt, keptFrom)
                    ?? ". No event with this id was accepted. It may be among the rejected ones: landfall quarantine list")
        }
    }

    private static let keyNeeded =
        "finding a token by its value requires the server's token key, which is not available here: set "
        + "\(TokenKey.environmentVariable), or copy token.key from the server's data folder to LANDFALL_DATA"

    private static func elsewhere(_ apps: [String]) -> String? {
        apps.first.map { ", but '\(apps.joined(separator: "', '"))' has: use --app \($0)" }
    }

    private static func dropped(_ sentAt: Instant?, _ keptFrom: Instant?) -> String? {
        guard let keptFrom else { return nil }
        guard let sentAt else {
            return
                ". Its id does not say when it was sent; what was sent before \(keptFrom.rfc3339) was "
                + "dropped, and is only included in the counters. Rejected events are in quarantine: "
                + "landfall quarantine list"
        }
        guard sentAt < keptFrom else { return nil }
        return
            ". Its id says that it was sent \(sentAt.rfc3339), and what was sent before \(keptFrom.rfc3339) "
            + "was dropped: it is only included in the counters"
    }
}
