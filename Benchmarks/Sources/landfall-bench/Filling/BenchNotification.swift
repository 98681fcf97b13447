internal import DeliveryModel
internal import Foundation

/// One push, with the provider's response and the arrival that the device then posts.
struct BenchNotification: Sendable {
    static let campaignCount = 20

    private let id: String
    private let sentAt: Instant
    private let device: BenchDevice
    private let campaign: Int
    private let fate: Fate

    /// What the provider decides.
    enum Fate: Sendable {
        case accepted
        case unregistered
        case badToken
        case throttled
        case providerError
    }

    /// - Parameter fate: the provider's response; if `nil`, drawn at random with realistic frequencies.
    init(
        sentAt: Instant, to device: BenchDevice, campaign: Int, fate: Fate? = nil,
        _ random: inout SeededRandom
    ) {
        self.id = UUID.versionSeven(at: sentAt, &random).uuidString.lowercased()
        self.sentAt = sentAt
        self.device = device
        self.campaign = campaign
        self.fate = fate ?? Self.fate(&random)
    }

    /// 97 of 100 pushes are accepted.
    private static func fate(_ random: inout SeededRandom) -> Fate {
        switch Int.random(in: 0..<1_000, using: &random) {
        case 0..<10: .unregistered
        case 10..<15: .badToken
        case 15..<25: .throttled
        case 25..<30: .providerError
        default: .accepted
        }
    }

    var isAccepted: Bool { fate == .accepted }

    /// The item that a sender posts.
    var response: String {
        """
        {"type":"response","notification_id":"\(id)","provider":"apns",\(responseFields),"token":"\(device.token)",\
        "environment":"production","topic":"\(BenchDevice.topic)","push_type":"alert","priority":10,\
        "mutable_content":true,"campaign":"campaign-\(campaign)"}
        """
    }

    /// The item that the notification service extension posts.
    var arrival: String {
        """
        {"type":"arrival","notification_id":"\(id)","occurred_at":\(sentAt.millisecondsSinceEpoch + 1_250),\
        "device_id":"\(device.deviceID.uuidString.lowercased())","app_version":"\(device.appVersion)",\
        "os_version":"\(device.osVersion)","language":"\(device.language)"}
        """
    }

    private var responseFields: String {
        switch fate {
        case .accepted: #""status":200"#
        case .badToken: #""status":400,"reason":"BadDeviceToken""#
        case .throttled: #""status":429,"reason":"TooManyRequests""#
        case .providerError: #""status":500,"reason":"InternalServerError""#
        case .unregistered:
            #""status":410,"reason":"Unregistered","timestamp":\#(sentAt.millisecondsSinceEpoch - 60_000)"#
        }
    }
}

extension BenchNotification {
    /// One push to each device, all with the same response.
    static func one(
        to devices: [BenchDevice], fate: Fate, now: Instant, _ random: inout SeededRandom
    ) -> [BenchNotification] {
        devices.map {
            BenchNotification(sentAt: now - .minutes(1), to: $0, campaign: 0, fate: fate, &random)
        }
    }

    /// Pushes of twenty campaigns within the last half hour, in the order of sending. At any moment a few
    /// campaigns are being sent, because a team sends one after the other.
    static func many(
        _ count: Int, to devices: ArraySlice<BenchDevice>, now: Instant, _ random: inout SeededRandom
    ) -> [BenchNotification] {
        let window = Span.minutes(30).milliseconds
        return (0..<count).map { position in
            let share = Double(position) / Double(count)
            let campaign =
                (Int(share * Double(campaignCount)) + Int.random(in: 0..<4, using: &random)) % campaignCount
            let sentAt = now - Span(milliseconds: window - Int64(share * Double(window)))
            let device = devices[Int.random(in: devices.indices, using: &random)]
            return BenchNotification(sentAt: sentAt, to: device, campaign: campaign, &random)
        }
    }
}
