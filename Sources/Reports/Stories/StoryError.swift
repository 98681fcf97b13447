public import Foundation
public import Instants
internal import TokenLifecycle

/// The reasons why there is no story.
public enum StoryError: Error, Hashable, Sendable {
    case unknownToken(app: String)
    case unknownDevice(UUID, app: String, knownIn: [String])
    /// `sentAt` is the time in the id, `keptFrom` the day before which everything was dropped.
    case unknownNotification(UUID, app: String, knownIn: [String], sentAt: Instant?, keptFrom: Instant?)
}

extension StoryError {
    /// The error for a reader who must not learn what other apps know.
    public var aboutItsAppAlone: StoryError {
        switch self {
        case .unknownToken: self
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
        case .unknownToken(let app):
            "app '\(app)' has no such token"
        case .unknownDevice(let deviceID, let app, let knownIn):
            Self.missing("device", deviceID, app: app)
                + (Self.elsewhere(knownIn)
                    ?? ". It has not registered here (PUT /v1/devices/{device_id}). Check that this is the "
                    + "id that the app created, and not a token, a vendor id or an account")
        case .unknownNotification(let id, let app, let knownIn, let sentAt, let keptFrom):
            Self.missing("notification", id, app: app)
                + (Self.elsewhere(knownIn) ?? Self.dropped(sentAt, keptFrom)
                    ?? ". No event with this id was accepted. It may be among the rejected ones: landfall quarantine list")
        }
    }

    private static func missing(_ what: String, _ id: UUID, app: String) -> String {
        "app '\(app)' has no \(what) \(id.uuidString.lowercased())"
    }

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
