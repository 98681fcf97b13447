internal import Foundation

/// Something that a device saw or its user did, as `POST /v1/events` accepts it.
public struct DeviceEvent: Sendable {
    public enum Kind: Sendable {
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
    public enum Evidence: Sendable {
        /// The notification service extension ran. The server's default.
        case `extension`
        /// The notification center still showed it when the app was launched.
        case center
        /// The app itself received it, in the background.
        case app
    }

    /// How the run of an extension ended, if not well.
    public enum Outcome: Sendable {
        /// The system ended it after its 30 seconds.
        case expired
        /// It showed the notification without its attachment.
        case attachmentFailed
    }

    /// The app's state when it was handed a tap or an action.
    public enum AppState: Sendable {
        /// It was running, and is now in the foreground.
        case foreground
        /// It was handed the action without coming to the foreground.
        case background
        /// It was launched for it.
        case terminated
    }

    public var kind: Kind
    public var payload: NotificationPayload
    /// The time by the device's clock, in milliseconds since 1970.
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
        category = payload.category
    }
}

extension DeviceEvent {
    /// Two events with the same identity are one event: an extension that runs twice for a notification
    /// reports one arrival.
    package var identity: String {
        var identity = kind.word + "\n" + payload.name.id
        for part in [evidence?.word, outcome?.word, action] { identity += "\n" + (part ?? "") }
        return identity
    }

    /// The item as it is posted, without what is added when it is: `reported_at`, and the device if it has an
    /// id by then.
    var item: [String: Any] {
        var item: [String: Any] = ["type": kind.word, "occurred_at": occurredAt]
        let texts = [
            (payload.name.field, payload.name.id), ("receipt", payload.receipt),
            ("evidence", evidence?.word), ("outcome", outcome?.word), ("action", action),
            ("category", category), ("app_state", appState?.word), ("source", isLocal ? "local" : nil),
        ]
        for (field, text) in texts { item[field] = text }
        item["has_text"] = hasText
        return item
    }
}

// The contract's words. As raw values, they would need an initializer each, which the kit never calls.

extension DeviceEvent.Kind {
    var word: String {
        switch self {
        case .arrival: "arrival"
        case .presentation: "presentation"
        case .click: "click"
        case .dismissal: "dismissal"
        }
    }
}

extension DeviceEvent.Evidence {
    var word: String {
        switch self {
        case .extension: "extension"
        case .center: "centre"
        case .app: "app"
        }
    }
}

extension DeviceEvent.Outcome {
    var word: String {
        switch self {
        case .expired: "expired"
        case .attachmentFailed: "attachment_failed"
        }
    }
}

extension DeviceEvent.AppState {
    var word: String {
        switch self {
        case .foreground: "foreground"
        case .background: "background"
        case .terminated: "terminated"
        }
    }
}
