public import Foundation
public import Instants

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
