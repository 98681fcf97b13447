internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import Reports

/// Something wrong with what a sender or an app has posted, and how to fix it.
public struct ConnectTrouble: Hashable, Sendable {
    /// Identifies the mistake, whichever push shows it.
    public let kind: String
    public let sentence: String
    public let fix: String
}

extension ConnectProgress {
    /// The mistakes so far, each kind once. A provider's rejection is none: Landfall is there to report it.
    public var troubles: [ConnectTrouble] {
        rejections.map(\.trouble)
            + [
                unmet, first(of: \.isUnregistered, Self.unregistered),
                first(of: { unlisted.contains($0.record.notificationID) }, Self.unlistedWord),
                first(of: \.cannotReport, Self.noExtension), first(of: \.isUnreported, Self.unreported),
                first(of: { !$0.timedByReceipt.isEmpty }, Self.untimed),
                first(of: { $0.state.contains(.misdirected) }, Self.misdirected),
            ].compactMap(\.self)
    }

    private func first(
        of isMeant: (NewestPush) -> Bool, _ trouble: (NewestPush) -> ConnectTrouble
    ) -> ConnectTrouble? { pushes.first(where: isMeant).map(trouble) }

    /// Responses and device events, but never of the same notification.
    private var unmet: ConnectTrouble? {
        guard end == .meeting, !pushes.contains(where: { $0.hasMet }),
            let sent = pushes.first(where: { $0.hasResponse }),
            let seen = pushes.first(where: { $0.lacksResponse && $0.isSeen })
        else { return nil }
        return ConnectTrouble(
            kind: #function,
            sentence: "The ids do not meet: a response has \(sent.id), and a device event has \(seen.id).",
            fix:
                "Post the id that the payload contains (landfall.id, next to aps; data.landfall for FCM), not "
                + "the one that the provider or library returns. If one payload goes to many devices, post it "
                + "as message_id, and put it into landfall.message.")
    }

    private static func unregistered(_ push: NewestPush) -> ConnectTrouble {
        ConnectTrouble(
            kind: #function,
            sentence: "No app has registered the token of \(push.id), so a rejection cannot retire it.",
            fix: "Let the app register at launch (PUT /v1/devices/{device_id}; Landfall.didRegister in the "
                + "kit), or import the tokens that you have: landfall tokens import.")
    }

    private static func unlistedWord(_ push: NewestPush) -> ConnectTrouble {
        let words = push.record.responseText ?? ""
        return ConnectTrouble(
            kind: #function,
            sentence: "The response '\(words)' to \(push.id) is in no list, so it changes no token.",
            fix:
                "Post the HTTP status in status and the provider's error, or the library's, unchanged in error. "
                + "Also compare provider with the one that returned it.")
    }

    private static func noExtension(_ push: NewestPush) -> ConnectTrouble {
        ConnectTrouble(
            kind: #function,
            sentence: "The push \(push.id) has no mutable_content, so no extension can report its arrival.",
            fix: "Put \"mutable-content\": 1 into aps next to an alert, and post mutable_content true.")
    }

    private static func unreported(_ push: NewestPush) -> ConnectTrouble {
        ConnectTrouble(
            kind: #function,
            sentence: "The device has \(push.id), but its extension has not reported the arrival.",
            fix:
                "Check that the payload has \"mutable-content\": 1 next to an alert, and that the app contains "
                + "the extension: landfall kit check.")
    }

    private static func untimed(_ push: NewestPush) -> ConnectTrouble {
        ConnectTrouble(
            kind: #function,
            sentence:
                "A device event of \(push.id) does not say when it happened, or says something impossible.",
            fix: "Post occurred_at and reported_at by the device's clock, in milliseconds since 1970, not in "
                + "seconds.")
    }

    private static func misdirected(_ push: NewestPush) -> ConnectTrouble {
        ConnectTrouble(
            kind: #function,
            sentence: "A device to which \(push.id) did not go reported it.",
            fix: "Give each push an id of its own. If one payload goes to many devices, post its id as "
                + "message_id, and let devices post it with their device_id.")
    }
}

extension NewestPush {
    fileprivate var id: String { record.notificationID.uuidString.lowercased() }

    /// A token that an app could register, and that only responses name.
    fileprivate var isUnregistered: Bool {
        guard record.tokenID != nil, record.installationID == nil, !isRegistered,
            let response = record.response
        else { return false }
        return ["apns", "fcm", "webpush", "webpush_apple"].contains(response.provider)
    }

    /// An accepted alert of APNs of which the sender says that no extension runs.
    fileprivate var cannotReport: Bool {
        record.response?.provider == "apns" && record.response?.pushType == "alert"
            && state.contains(.accepted) && !state.contains(.canReport)
    }

    /// The app reported something, and the extension, which could run, did not.
    fileprivate var isUnreported: Bool {
        record.response?.provider == "apns" && hasMet
            && state.isSuperset(of: [.accepted, .canReport]) && !state.contains(.arrived)
    }
}

extension ConnectProgress.Rejection {
    fileprivate var trouble: ConnectTrouble {
        ConnectTrouble(
            kind: "\(code) \(poster) \(detail)",
            sentence:
                "Items were rejected (\(code), posted \(poster == .server ? "by a sender" : "with a device key")): \(detail).",
            fix: fix)
    }

    private var fix: String {
        switch ItemRejection.Code(rawValue: code) {
        case .invalidInstant, .tooOld, .inFuture:
            "Post instants in milliseconds since 1970, not in seconds: multiply a Unix time by 1,000. An RFC "
                + "3339 string with a zone is accepted, too."
        case .missingSentAt:
            "Post sent_at, the time of sending in milliseconds since 1970, or make version 7 UUIDs."
        case .missingNotificationID, .invalidNotificationID:
            "Let the sender make an id, put it into the payload as landfall.id, and post it as notification_id."
        case .missingToken, .invalidToken:
            "Post the device token as the sender got it from the app: APNs' as hex, an FCM token or an endpoint "
                + "unchanged."
        case .unknownProvider:
            "Use a provider from the list in docs/http.md, such as apns, fcm or webpush, or add yours: landfall "
                + "app set providers."
        case .unknownType, .invalidJSON:
            "Post one JSON object per event, an array or lines of them, each with a type."
        case .forbiddenType, .forbiddenEvidence:
            "Post it with the server key. Device keys, which apps contain, post device events only."
        case .invalidReceipt:
            "The app demands receipts: let your backend sign them (landfall sign), or set receipts to off."
        case .invalidStatus: "Post the HTTP status of the provider's response; 0 if there was none."
        default:
            "See the item: landfall quarantine list --show-text. Once the sender is fixed, landfall quarantine "
                + "drop removes it."
        }
    }
}
