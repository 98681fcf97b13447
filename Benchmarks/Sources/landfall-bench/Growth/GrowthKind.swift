internal import DeliveryModel
internal import Foundation

/// A kind of item that a sender or a device posts.
enum GrowthKind: String, CaseIterable, Sendable, Encodable {
    /// About tokens that no app has registered. Measured first, while all tables are empty.
    case unknownTokens = "unknown tokens"
    case registeredTokens = "registered tokens"
    case byMessage = "by message"
    /// With ids an hour older than the push.
    case plannedIDs = "planned ids"
    case versionFour = "version 4 ids"
    case campaigns = "a campaign per item"
    case badDeviceToken = "BadDeviceToken"
    case unregistered = "410s"
    case arrivals
    case clicks

    /// Whether the tokens are imported before.
    var isRegistered: Bool { self != .unknownTokens }

    /// Whether it is about notifications whose responses are posted before.
    var isOfDevice: Bool { self == .arrivals || self == .clicks }
}

/// The items of one request: one notification for each device.
struct GrowthRequest {
    private struct Push {
        let id: String
        let sentAt: Instant
        let device: BenchDevice
    }

    private let kind: GrowthKind
    private let message: String
    private let pushes: [Push]

    init(_ kind: GrowthKind, to devices: [BenchDevice], now: Instant, _ random: inout SeededRandom) {
        self.kind = kind
        message = UUID.versionSeven(at: now, &random).uuidString.lowercased()
        pushes = devices.map { device in
            let id: UUID =
                switch kind {
                case .plannedIDs: .versionSeven(at: now - .hours(1), &random)
                case .versionFour: .random(&random)
                default: .versionSeven(at: now, &random)
                }
            return Push(id: id.uuidString.lowercased(), sentAt: now, device: device)
        }
    }

    /// The responses that have to be recorded before; empty unless the items are those of devices.
    var preparation: [String] { kind.isOfDevice ? pushes.map(response) : [] }

    var items: [String] {
        switch kind {
        case .arrivals: pushes.map { report("arrival", $0) }
        case .clicks: pushes.map { report("click", $0) }
        default: pushes.map(response)
        }
    }

    private func response(_ push: Push) -> String {
        let name =
            kind == .byMessage
            ? #""message_id":"\#(message)""#
            : #""notification_id":"\#(push.id)","sent_at":\#(push.sentAt.millisecondsSinceEpoch)"#
        let outcome =
            switch kind {
            case .badDeviceToken: #""status":400,"reason":"BadDeviceToken""#
            case .unregistered:
                #""status":410,"reason":"Unregistered","timestamp":\#(push.sentAt.millisecondsSinceEpoch)"#
            default: #""status":200"#
            }
        let campaign = kind == .campaigns ? push.id : "spring"
        return #"{"type":"response","provider":"apns",\#(name),\#(outcome),"token":"\#(push.device.token)","#
            + #""topic":"\#(BenchDevice.topic)","campaign":"\#(campaign)"}"#
    }

    private func report(_ type: String, _ push: Push) -> String {
        #"{"type":"\#(type)","notification_id":"\#(push.id)","sent_at":\#(push.sentAt.millisecondsSinceEpoch),"#
            + #""occurred_at":\#(push.sentAt.millisecondsSinceEpoch),"device_id":"\#(push.device.deviceID.uuidString.lowercased())"}"#
    }
}
