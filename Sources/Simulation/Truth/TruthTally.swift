/// Adds up the truth, phone by phone.
struct TruthTally {
    private let settings: SimulationSettings
    private var totals = SimulatedCounts()
    private var byCampaign: [String?: SimulatedCounts] = [:]
    private var byHour: [Int64: SimulatedCounts] = [:]
    private var byVersion: [String: SimulatedVersionTruth] = [:]
    private var capable = SimulatedCapableTruth()
    private var unmatched = 0
    private var installations = SimulatedInstallationTruth()
    private var tokens = SimulatedTokenTruth()
    private var scenarios: [SimulatedScenario: Int] = [:]

    init(settings: SimulationSettings) {
        self.settings = settings
    }

    mutating func note(_ scenario: SimulatedScenario, times: Int = 1) {
        scenarios[scenario, default: 0] += times
    }

    /// Counts a notification without its events after the horizon.
    mutating func add(_ notification: PlannedNotification) {
        for scenario in notification.scenarios { note(scenario) }
        noteOrder(of: notification)
        guard notification.isAttempted else {
            if !notification.sightings.isEmpty {
                unmatched += 1
                note(.unmatched)
            }
            return
        }
        let hour = notification.sentAt.start(of: .hours(1))
        totals.add(notification)
        byCampaign[notification.campaign.key, default: SimulatedCounts()].add(notification)
        byHour[hour, default: SimulatedCounts()].add(notification)
        guard let build = notification.build else { return }
        byVersion[
            build.version,
            default: SimulatedVersionTruth(
                appVersion: build.version, hasExtension: settings.hasExtension(build))
        ].add(notification)
    }

    private mutating func noteOrder(of notification: PlannedNotification) {
        let arrival = notification.sightings.first { $0.kind == .arrival }
        if let arrival, let response = notification.responses.first, arrival.postedAt < response.postedAt {
            note(.arrivalBeforeResponse)
        }
        if let arrival,
            notification.sightings.contains(where: { $0.kind == .click && $0.postedAt < arrival.postedAt })
        {
            note(.clickBeforeArrival)
        }
        if arrival != nil, notification.was(.presentation) { note(.arrivedAndPresented) }
        if notification.sightings.contains(where: { $0.postedAt >= settings.window.upperBound }) {
            note(.eventAfterWindow)
        }
        if notification.isAttempted, !notification.isAccepted, !notification.sightings.isEmpty {
            note(.contradicted)
        }
    }

    mutating func add(_ phone: PhoneTruth) {
        capable.add(phone.capable)
        for (rule, count) in phone.transitions { tokens.transitions[rule, default: 0] += count }
        tokens.registered.add(phone.registeredTokens)
        tokens.unregistered.add(phone.unregisteredTokens)
        installations.registered += phone.installations.registered
        installations.audience += phone.installations.audience
        installations.targeted += phone.installations.targeted
        installations.reached += phone.installations.reached
        installations.engaged += phone.installations.engaged
    }

    /// - Parameter order: the campaigns' keys in the order of the rows.
    func truth(campaignsInOrder order: [String?]) -> SimulatedTruth {
        SimulatedTruth(
            windowStart: settings.window.lowerBound, windowEnd: settings.window.upperBound, totals: totals,
            campaigns: order.compactMap { key in
                byCampaign[key].map { SimulatedCampaignTruth(key: key, counts: $0) }
            },
            days: periods(of: .hours(24)), hours: periods(of: .hours(1)),
            versions: byVersion.values.sorted { $0.appVersion < $1.appVersion },
            capable: capable, unmatched: unmatched, installations: installations, tokens: tokens,
            scenarios: scenarios)
    }

    private func periods(of length: Int64) -> [SimulatedPeriodTruth] {
        var counts: [Int64: SimulatedCounts] = [:]
        for (hour, added) in byHour {
            counts[hour.start(of: length), default: SimulatedCounts()].add(added)
        }
        return counts.keys.sorted().compactMap { start in
            counts[start].map { SimulatedPeriodTruth(start: start, counts: $0) }
        }
    }
}

extension SimulatedCounts {
    mutating func add(_ notification: PlannedNotification) {
        attempted += 1
        guard notification.isAccepted else {
            if let rejection = notification.rejection { rejected[rejection, default: 0] += 1 }
            if !notification.sightings.isEmpty { contradicted += 1 }
            return
        }
        accepted += 1
        if notification.isReportable { reportable += 1 }
        if notification.was(.arrival) { arrived += 1 }
        if notification.was(.presentation) { presented += 1 }
        if notification.was(.click) { clicked += 1 }
        if notification.was(.dismissal) { dismissed += 1 }
        if notification.recalledAt != nil { recalled += 1 }
        guard !notification.sightings.isEmpty else { return }
        confirmed += 1
        if notification.isReportable, !notification.was(.arrival) { confirmedUnreported += 1 }
    }

    mutating func add(_ other: SimulatedCounts) {
        attempted += other.attempted
        accepted += other.accepted
        for (rejection, count) in other.rejected { rejected[rejection, default: 0] += count }
        reportable += other.reportable
        arrived += other.arrived
        confirmed += other.confirmed
        presented += other.presented
        clicked += other.clicked
        dismissed += other.dismissed
        confirmedUnreported += other.confirmedUnreported
        contradicted += other.contradicted
        recalled += other.recalled
    }
}

extension SimulatedTokenStates {
    mutating func add(_ other: SimulatedTokenStates) {
        active += other.active
        suspect += other.suspect
        retired += other.retired
    }
}
