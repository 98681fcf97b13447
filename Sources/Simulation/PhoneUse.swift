internal import Basics

/// The handling of notifications that APNs took, by a phone and its owner.
struct PhoneUse {
    let phone: Phone
    let settings: SimulationSettings
    var random: SeededRandom

    /// Adds the sightings to each notification. The notifications must be in the order of sending.
    mutating func look(at notifications: inout [PlannedNotification]) {
        let kept = lastInStorage(of: notifications)
        for position in notifications.indices {
            let software = phone.software(at: notifications[position].sentAt)
            notifications[position].build = software.build
        }
        for position in notifications.indices where notifications[position].takenByProvider {
            receive(&notifications[position], isKeptInStorage: position == kept)
        }
    }

    /// The notification APNs stores for an offline phone: one per app, usually the newest. Others are lost.
    private func lastInStorage(of notifications: [PlannedNotification]) -> Int? {
        guard let offline = phone.offline else { return nil }
        return notifications.lastIndex { notification in
            notification.takenByProvider && offline.contains(notification.sentAt)
                && phone.tokens[notification.token].residency(at: notification.sentAt) != nil
        }
    }

    private mutating func receive(_ notification: inout PlannedNotification, isKeptInStorage: Bool) {
        let token = phone.tokens[notification.token]
        guard let residency = token.residency(at: notification.sentAt) else { return }
        let isStored = phone.offline?.contains(notification.sentAt) ?? false
        if isStored && !isKeptInStorage {
            notification.scenarios.append(.supersededInStorage)
            return
        }
        let receivedAt = receptionInstant(notification.sentAt)
        if withdraws(notification, receivedAt: receivedAt) {
            notification.recalledAt = notification.sentAt + random.span(.minutes(12), .minutes(25))
            notification.scenarios.append(.recalled)
            return
        }
        guard residency.during.contains(receivedAt), notification.campaign.pushType == "alert" else { return }
        show(&notification, residency: residency, at: receivedAt)
    }

    private mutating func receptionInstant(_ sentAt: Int64) -> Int64 {
        if let offline = phone.offline, offline.contains(sentAt) {
            return offline.upperBound + random.span(.seconds(1), .seconds(40))
        }
        if random.chance(0.04) { return sentAt + random.logNormal(median: .hours(1), sigma: 1.1) }
        return sentAt + random.logNormal(median: 1_800, sigma: 0.9)
    }

    private mutating func withdraws(_ notification: PlannedNotification, receivedAt: Int64) -> Bool {
        let isLate = receivedAt - notification.sentAt > .minutes(30)
        return notification.campaign.withdrawsStragglers && notification.isAccepted && isLate
            && random.chance(0.5)
    }

    private mutating func show(
        _ notification: inout PlannedNotification, residency: Residency, at instant: Int64
    ) {
        let software = phone.software(at: instant)
        guard software.permission.showsAlerts else {
            notification.scenarios.append(.permissionOff)
            return
        }
        notification.wasShown = true
        var observer = Observer(installation: residency.installation, software: software)
        runExtension(notification.campaign, at: instant, &observer)
        let isInFront = random.chance(0.08)
        if isInFront { observer.sees(.presentation, at: instant + 60, after: random.span(150, .seconds(4))) }
        react(to: notification, at: instant, isInFront: isInFront, &observer)
        observer.sightings.removeAll { !residency.during.contains($0.occurredAt) }
        notification.sightings = observer.sightings
        notification.scenarios += observer.scenarios
    }
}

// MARK: - The extension, the app and their owner

extension PhoneUse {
    /// Collects what one installation sees of one notification.
    private struct Observer {
        let installation: Int?
        let software: Software
        var sightings: [Sighting] = []
        var scenarios: [SimulatedScenario] = []

        mutating func sees(
            _ kind: Sighting.Kind, at instant: Int64, after delay: Int64, action: String? = nil,
            appState: String? = nil
        ) {
            sightings.append(
                Sighting(
                    kind: kind, occurredAt: instant, postedAt: instant + delay, installation: installation,
                    software: software, action: action, appState: appState))
        }
    }

    /// The extension runs only if `mutable-content` is set, and iOS may kill it before it reports.
    private mutating func runExtension(
        _ campaign: CampaignPlan, at instant: Int64, _ observer: inout Observer
    ) {
        guard campaign.mutableContent else { return }
        guard settings.hasExtension(observer.software.build) else {
            observer.scenarios.append(.extensionAbsent)
            return
        }
        guard !settings.has(.silentExtension, at: instant) || observer.software.build != .current else {
            observer.scenarios.append(.lostReceipt)
            return
        }
        guard !random.chance(0.08) else {
            observer.scenarios.append(.lostReceipt)
            return
        }
        observer.sees(.arrival, at: instant + random.span(20, 400), after: uploadDelay())
    }

    /// Mostly short. Without a network, the device event waits in the app group to be posted.
    private mutating func uploadDelay() -> Int64 {
        random.chance(0.07) ? random.span(.minutes(2), .hours(5)) : random.span(80, .seconds(2))
    }

    private mutating func react(
        to notification: PlannedNotification, at instant: Int64, isInFront: Bool, _ observer: inout Observer
    ) {
        let isQuiet = observer.software.permission == .provisional
        let chance = notification.campaign.clickChance(variant: notification.variant) * (isQuiet ? 0.4 : 1)
        let reactsAt = instant + .seconds(1) + random.logNormal(median: .minutes(4), sigma: 1.5)
        if random.chance(chance) {
            click(notification.campaign, at: reactsAt, isInFront: isInFront, &observer)
        } else if notification.campaign.reportsDismissals, random.chance(0.12) {
            observer.sees(.dismissal, at: reactsAt, after: random.span(100, .seconds(5)))
        }
    }

    private mutating func click(
        _ campaign: CampaignPlan, at instant: Int64, isInFront: Bool, _ observer: inout Observer
    ) {
        let action =
            campaign.actions.isEmpty || random.chance(0.7)
            ? nil : campaign.actions[random.below(campaign.actions.count)]
        if action != nil { observer.scenarios.append(.customAction) }
        let wasLaunched = !isInFront && random.chance(0.4)
        let state =
            action.map(campaign.backgroundActions.contains) == true
            ? "background" : wasLaunched ? "terminated" : "foreground"
        let delay = random.chance(0.08) ? random.span(.minutes(1), .hours(2)) : random.span(100, .seconds(3))
        observer.sees(.click, at: instant, after: delay, action: action, appState: state)
        guard random.chance(0.06) else { return }
        observer.scenarios.append(.clickReportedTwice)
        observer.sees(
            .click, at: instant + random.span(3, 60), after: delay + random.span(1, 900), action: action,
            appState: state == "terminated" ? "foreground" : state)
    }
}
