public import Foundation

/// One valid item of `POST /v1/events`.
public struct Event: Hashable, Sendable {
    public var name: NotificationName
    /// The time the push was sent, as the item itself states it. If `nil`, the time inside a version 7 id is
    /// used (see ``idTime``) or, for a device event, the time that the response will state.
    public var sentAt: Instant?
    public var content: Content
    /// Warnings for its sender, found while it was read.
    public var warnings: ItemWarnings = []

    public enum Content: Hashable, Sendable {
        case response(ProviderResponse)
        /// A device event: something the device saw or did.
        case device(DeviceReport)
        /// The sender withdrew the notification.
        case recall
    }

    public init(_ name: NotificationName, sentAt: Instant?, content: Content) {
        (self.name, self.sentAt, self.content) = (name, sentAt, content)
    }

    public init(notificationID: UUID, sentAt: Instant?, content: Content) {
        self.init(.notification(notificationID), sentAt: sentAt, content: content)
    }

    /// The time at which the notification's or message's id was created; `nil` unless it is version 7.
    public var idTime: Instant? { name.id.versionSevenInstant }

    /// The bits this event adds to its notification's row.
    public func contribution(outcome: OutcomeClass?) -> DeliveryState {
        switch content {
        case .response(let response):
            var state: DeliveryState = .attempted
            if response.canReport { state.insert(.canReport) }
            switch outcome {
            case .accepted: state.insert(.accepted)
            case .rejected(let rejectionClass):
                state.insert(.rejected(rejectionClass, isFinal: response.isFinal))
            case nil: state.insert(.rejected(.unknown))
            }
            return state
        case .device(let report):
            var state = report.bit
            if report.isLocal { state.insert(.local) }
            if report.isSigned { state.insert(.signed) }
            return state
        case .recall:
            return .recalled
        }
    }
}

/// A push provider's response to one push, from any sender.
public struct ProviderResponse: Hashable, Sendable {
    /// `apns`, `fcm`, `webpush`, … in Landfall's spelling (see ``Provider``).
    public var provider: String
    /// HTTP status; 0 if there was no response.
    public var status: Int
    /// Word for word; `nil` if the response had none.
    public var reason: String?
    /// Only those of responses.
    public var facts = DeliveryFacts()
    /// The target of the push; `nil` for broadcasts to a channel.
    public var target: Target?
    public var environment = Environment.production
    public var topic = ""
    public var pushType = PushType.alert.rawValue
    /// A number, or the provider's word, such as FCM's `high`.
    public var priority: String?
    /// `nil` counts as true, because it is then unknown whether the sender set it.
    public var mutableContent: Bool?
    public var campaign = ""
    public var variant = ""
    /// The sender's final response: a rejection corrects an acceptance that was posted before.
    public var isFinal = false

    public enum Target: Hashable, Sendable {
        case token(TokenAddress)
        /// The device on a channel of the sender's own that has no tokens, such as an in-app socket.
        case device(UUID)
    }

    public init(provider: String, status: Int) {
        (self.provider, self.status) = (provider, status)
    }

    /// The notification service extension runs only for pushed alerts with `mutable-content: 1`.
    public var canReport: Bool {
        pushType == PushType.alert.rawValue && mutableContent != false && Provider.isPushService(provider)
    }
}

public struct DeviceReport: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The notification service extension ran.
        case arrival
        /// The app was in the foreground and received it (`willPresent`).
        case presentation
        /// A tap or a custom action.
        case click
        /// An explicit dismissal, reported only if the category has `customDismissAction`.
        case dismissal

        /// The bit that such a device event adds; an arrival only if the extension reported it.
        public var bit: DeliveryState {
            switch self {
            case .arrival: .arrived
            case .presentation: .presented
            case .click: .clicked
            case .dismissal: .dismissed
            }
        }
    }

    public enum Evidence: String, CaseIterable, Sendable {
        /// The notification service extension ran.
        case `extension`
        /// The notification center showed it when the app was launched.
        case center = "centre"
        /// The app received it in the background.
        case app
        /// The provider reported its delivery to the device.
        case provider
    }

    /// How a run of the notification service extension ended, if not well.
    public enum ExtensionOutcome: String, CaseIterable, Decodable, Sendable {
        /// The system ended it after 30 seconds, and showed the notification as it was.
        case expired
        case attachmentFailed = "attachment_failed"
    }

    /// The state of the app when it was handed a tap or an action.
    public enum AppState: String, CaseIterable, Decodable, Sendable {
        case foreground
        /// It handled the action without coming to the foreground.
        case background
        /// It was launched for it.
        case terminated
    }

    public var kind: Kind
    /// Only of arrivals. Any other than that of the extension says that it arrived, but not when.
    public var evidence = Evidence.extension
    /// The time of the event, corrected for the device's clock; `nil` if the device did not say.
    public var occurredAt: Instant?
    public var deviceID: UUID?
    /// The token of the device, if a server posts a vendor's receipt, which names no device.
    public var token: TokenAddress?
    /// Only those of such device events.
    public var facts = DeliveryFacts()
    /// The version of the device kit that posted it; `nil` without one.
    public var kit: String?
    /// Whether the extension shares no folder with the app, so the app cannot upload what it recorded.
    public var isUnshared = false
    /// How many events the device dropped before it could upload them, since it last said so.
    public var droppedEvents: Int64 = 0
    /// Whether the device's clock was more than ``clockTolerance`` off when it posted this.
    public var isClockOff = false
    /// The device did not say when it happened: ``occurredAt`` is the time of receipt.
    public var isTimedByReceipt = false
    /// The app showed the notification by itself, so there will be no provider response.
    public var isLocal = false
    /// The version of the app that posted it; `nil` if it did not say.
    public var appVersion: String?
    /// It carried a valid receipt, or came from a server.
    public var isSigned = false

    /// Phones set their clocks by the network, to the second.
    public static let clockTolerance = Span.minutes(5)

    public init(kind: Kind) { self.kind = kind }

    public var bit: DeliveryState { kind == .arrival && evidence != .extension ? .witnessed : kind.bit }
}
