import Simulation

/// Folds posted events into counts, using only their bytes and the definitions of the metrics.
struct Recount {
    struct Notification {
        var hasResponse = false
        var isAccepted = false
        var rejection: SimulatedRejectionClass?
        var isReportable = false
        var hasArrived = false
        var wasPresented = false
        var wasClicked = false
        var wasDismissed = false
        var wasRecalled = false
        var campaign: String?
        var sentAt: Int64 = 0

        var wasSeen: Bool { hasArrived || wasPresented || wasClicked || wasDismissed }
    }

    private(set) var notifications: [String: Notification] = [:]

    init(_ events: [PostedEvent]) {
        for event in events {
            var notification = notifications[event.id, default: Notification()]
            notification.sentAt = event.sentAt ?? notification.sentAt
            notification.add(event)
            notifications[event.id] = notification
        }
    }

    func count(_ claim: (Notification) -> Bool) -> Int {
        notifications.values.filter(claim).count
    }

    /// The class of a response, by the reasons of APNs.
    static func rejection(_ response: PostedEvent) -> SimulatedRejectionClass? {
        switch (response.status, response.reason) {
        case (200, _): nil
        case (400, "BadDeviceToken"): .tokenSuspect
        case (400, "DeviceTokenNotForTopic"): .wrongTopic
        case (400, _): .requestError
        case (403, "BadEnvironmentKeyInToken"): .wrongEnvironment
        case (403, _): .authError
        case (410, _): .tokenDead
        case (413, _): .payloadError
        case (429, _): .throttled
        case (500, _), (503, _): .providerError
        default: .unknown
        }
    }
}

extension Recount.Notification {
    fileprivate mutating func add(_ event: PostedEvent) {
        switch event.type {
        case "response": addResponse(event)
        case "arrival": hasArrived = true
        case "presentation": wasPresented = true
        case "click": wasClicked = true
        case "dismissal": wasDismissed = true
        case "recall": wasRecalled = true
        default: break
        }
    }

    private mutating func addResponse(_ response: PostedEvent) {
        hasResponse = true
        campaign = response.text("campaign")
        if let rejection = Recount.rejection(response) { self.rejection = rejection }
        guard response.isAccepted else { return }
        isAccepted = true
        let isAlert = response.text("push_type") ?? "alert" == "alert"
        isReportable = isAlert && response.number("mutable_content") != 0
    }
}
