internal import Foundation

/// Something that a device saw or its user did, as `POST /v1/events` accepts it.
public struct DeviceEvent: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The device had the notification.
        case arrival
        /// The app was in the foreground and received it.
        case presentation
        /// A tap or a custom action.
        case click
        /// An explicit dismissal, which only categories with `customDismissAction` report.
        case dismissal
    }

    /// How it is known that a notification arrived.
    public enum Evidence: String, CaseIterable, Sendable {
        /// The notification service extension ran. The server's default.
        case `extension`
        /// The notification center still showed it when the app was launched.
        case center = "centre"
        /// The app itself received it, in the background.
        case app
    }

    /// How the run of an extension ended, if not well.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The system ended it after its 30 seconds.
        case expired
        /// It showed the notification without its attachment.
        case attachmentFailed = "attachment_failed"
    }

    /// The app's state when it was handed a tap or an action.
    public enum AppState: String, CaseIterable, Sendable {
        /// It was running, and is now in the foreground.
        case foreground
        /// It was handed the action without coming to the foreground.
        case background
        /// It was launched for it.
        case terminated
    }

    public var kind: Kind
    public var payload: NotificationPayload
    /// By the device's clock, in milliseconds since 1970.
    public var occurredAt: Int64
    public var evidence: Evidence?
    public var outcome: Outcome?
    /// The custom action; `nil` for the default tap.
    public var action: String?
    /// The notification's category.
    public var category: String?
    public var appState: AppState?
    /// Whether the user typed a text. The text itself is not kept.
    public var hasText: Bool?
    /// The app showed the notification by itself.
    public var isLocal = false

    public init(_ kind: Kind, _ payload: NotificationPayload, at occurredAt: Int64) {
        self.kind = kind
        self.payload = payload
        self.occurredAt = occurredAt
    }
}

extension DeviceEvent {
    /// Two events with the same identity are one event: an extension that runs twice for a notification reports one arrival.
    var identity: String {
        let id =
            switch payload.name {
            case .notification(let id): id
            case .message(let id): id
            }
        return [kind.rawValue, id.uuidString, evidence?.rawValue, outcome?.rawValue, action]
            .map { $0 ?? "" }.joined(separator: "\n")
    }

    /// The item as it is posted, without what is added when it is: `reported_at`, and the device if it has an id by then.
    var item: [String: Any] {
        var item: [String: Any] = ["type": kind.rawValue, "occurred_at": occurredAt]
        switch payload.name {
        case .notification(let id): item["notification_id"] = id.uuidString.lowercased()
        case .message(let id): item["message_id"] = id.uuidString.lowercased()
        }
        item["receipt"] = payload.receipt
        item["evidence"] = evidence?.rawValue
        item["outcome"] = outcome?.rawValue
        item["action"] = action
        item["category"] = category
        item["app_state"] = appState?.rawValue
        item["has_text"] = hasText
        if isLocal { item["source"] = "local" }
        return item
    }
}
