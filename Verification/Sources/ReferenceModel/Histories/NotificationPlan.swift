internal import Basics
internal import Foundation

/// The common properties of the items about one notification.
struct NotificationPlan {
    enum ResponsePlace {
        case anywhere, first, last, never
    }

    var app: Int
    private(set) var name: MeantName
    /// The time in the id, often not when the push was sent; `nil` if the id contains none.
    let idTime: Int64?
    /// Milliseconds since 1970.
    let sentAt: Int64
    let responsePlace: ResponsePlace
    let provider: String
    let campaign: String
    let variant: String
    private(set) var environment: String
    private(set) var topic: String
    let pushType: String
    private(set) var target: MeantResponse.Target
    /// The same in every response if notifications have to be distinguished by it.
    private(set) var collapseID: String?
    /// Every response describes the push differently.
    let isContradictory: Bool

    /// - Parameter midnight: the start of the day in which pushes are sent.
    init(app: Int, midnight: Int64, deviceCount: Int, _ random: inout SeededRandom) {
        self.app = app
        // Few instants, so that notifications share quarter hours; the first and last instants of quarter
        // hours and of the day are among them.
        sentAt = midnight + random.pick(0, 899_999, 900_000, 3_600_000, 43_200_123, 86_399_999)
        let planned: Int64 = random.pick(0, 0, 0, 1_500, 899_000, 900_000, 3_600_000, 3 * 86_400_000, -2_000)
        idTime = random.chance(percent: 60) ? sentAt - planned : nil
        let isText = idTime == nil && random.chance(percent: 50)
        name = .notification(isText ? .someText(&random) : .uuid(Self.uuid(idTime, &random)))
        responsePlace = random.pick(.anywhere, .anywhere, .anywhere, .anywhere, .first, .last, .never, .never)
        provider = random.pick("apns", "apns", "apns", "fcm", "onesignal")
        campaign = random.pick("", "spring", "spring", "sale \"50 %\" 🎉")
        variant = random.pick("", "", "a", "b")
        isContradictory = random.chance(percent: 10)
        pushType = random.pick("alert", "alert", "alert", "background", "voip")
        let device = random.below(deviceCount)
        let strange = random.hexDigits(64)
        target = random.pick(
            .deviceToken(device), .deviceToken(device), .strangeToken(strange), .strangeToken(strange),
            .device(device), .broadcast)
        (environment, topic) = Self.address(of: target, &random)
    }

    private static func address(
        of target: MeantResponse.Target, _ random: inout SeededRandom
    ) -> (environment: String, topic: String) {
        if case .deviceToken = target { return ("production", HistoryDevice.topic) }
        return (
            random.pick("production", "production", "sandbox"),
            random.pick("", "com.example.shop", "com.example.shop.voip")
        )
    }

    var id: MeantID {
        switch name {
        case .notification(let id), .message(let id, _): id
        }
    }

    /// The provider under which a response to this target is recorded.
    func provider(to target: MeantResponse.Target) -> String {
        guard case .broadcast = target, provider == "apns" else { return provider }
        return "apns_broadcast"
    }

    /// The push as part of a message: the notification that one device gets.
    func ofMessage(to device: Int, _ random: inout SeededRandom) -> NotificationPlan {
        var plan = self
        plan.name = .message(id, device: device)
        plan.collapseID = "to-\(device)"
        plan.target = random.pick(
            .deviceToken(device), .deviceToken(device), .deviceToken(device), .device(device),
            .strangeToken(random.hexDigits(64)))
        (plan.environment, plan.topic) = Self.address(of: plan.target, &random)
        return plan
    }

    /// The same id in the other app, which may use it for its own notification.
    var inOtherApp: NotificationPlan {
        var plan = self
        plan.app = 1 - app
        return plan
    }

    /// A version 7 id with the instant, or a random version 4 id if `instant` is `nil`.
    static func uuid(_ instant: Int64?, _ random: inout SeededRandom) -> UUID {
        let time = instant.map { String(format: "%012llx", $0) } ?? random.hexDigits(12)
        let version = instant == nil ? "4" : "7"
        let text =
            "\(time.prefix(8))-\(time.suffix(4))-\(version)\(random.hexDigits(3))-8\(random.hexDigits(3))-"
            + random.hexDigits(12)
        return UUID(uuidString: text) ?? UUID()
    }
}
