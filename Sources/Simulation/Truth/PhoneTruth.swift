/// One phone's contribution to the truth about tokens and installations.
struct PhoneTruth {
    private(set) var installations = SimulatedInstallationTruth()
    private(set) var capable = SimulatedCapableTruth()
    private let tokens: PhoneTokens

    var transitions: [SimulatedTokenRule: Int] { tokens.transitions }
    var registeredTokens: SimulatedTokenStates { tokens.states(registered: true) }
    var unregisteredTokens: SimulatedTokenStates { tokens.states(registered: false) }

    /// - Parameters:
    ///   - notifications: without the events after the horizon.
    ///   - hasExtension: whether the extension of a build reports.
    init(phone: Phone, notifications: [PlannedNotification], hasExtension: (SimulatedBuild) -> Bool) {
        var tokens = PhoneTokens()
        var targets: [PhoneTokens.Target?] = notifications.map { _ in nil }
        var registered: [Int: SimulatedBuild] = [:]
        var builds: [SimulatedBuild?] = notifications.map { _ in nil }
        for entry in Self.chronicle(of: phone, notifications) {
            switch entry.content {
            case .registration(let registration):
                tokens.register(registration, of: phone)
                registered[registration.installation] = registration.software.build
            case .response(let response, let position):
                let notification = notifications[position]
                let token = phone.tokens[notification.token]
                let target = tokens.record(
                    response, for: token.value, in: token.addressedIn, sentAt: notification.sentAt)
                guard targets[position] == nil else { continue }
                targets[position] = target
                if case .installation(let installation) = target {
                    builds[position] = registered[installation]
                }
            }
        }
        self.tokens = tokens
        countAudience(of: phone)
        countReach(of: notifications, targets: targets)
        for (notification, build) in zip(notifications, builds) {
            capable.add(notification, isCapable: build.map(hasExtension) ?? false)
        }
    }

    private struct Entry {
        enum Content {
            case registration(PlannedRegistration)
            case response(PlannedResponse, notification: Int)
        }

        let at: Int64
        let content: Content
    }

    private static func chronicle(of phone: Phone, _ notifications: [PlannedNotification]) -> [Entry] {
        var entries = phone.registrations.map { Entry(at: $0.at, content: .registration($0)) }
        for (position, notification) in notifications.enumerated() {
            entries += notification.responses.map {
                Entry(at: $0.postedAt, content: .response($0, notification: position))
            }
        }
        return entries.sorted { $0.at < $1.at }
    }

    private mutating func countAudience(of phone: Phone) {
        installations.registered = phone.installations.count
        for installation in phone.installations.indices {
            let last = phone.registrations.last { $0.installation == installation }
            guard let last, last.software.permission != .denied else { continue }
            if tokens.hasActiveToken(installation: installation) { installations.audience += 1 }
        }
    }

    /// A phone has few targets, so searching a list is cheaper than hashing.
    private mutating func countReach(of notifications: [PlannedNotification], targets: [PhoneTokens.Target?])
    {
        var targeted: [PhoneTokens.Target] = []
        var reached: [PhoneTokens.Target] = []
        var engaged: [PhoneTokens.Target] = []
        for (notification, target) in zip(notifications, targets) {
            guard let target else { continue }
            if !targeted.contains(target) { targeted.append(target) }
            guard notification.isAccepted, !notification.sightings.isEmpty else { continue }
            if !reached.contains(target) { reached.append(target) }
            if notification.was(.click), !engaged.contains(target) { engaged.append(target) }
        }
        installations.targeted = targeted.count
        installations.reached = reached.count
        installations.engaged = engaged.count
    }
}

extension PhoneTokens {
    /// Records a registration. A check-in without a token changes nothing here.
    fileprivate mutating func register(_ registration: PlannedRegistration, of phone: Phone) {
        guard let position = registration.token else { return }
        let token = phone.tokens[position]
        register(token.value, in: token.registeredIn, by: registration.installation, at: registration.at)
    }
}
