/// One notification to one token, with everything that was answered and seen.
struct PlannedNotification {
    let id: UniqueID
    /// The send instant, Unix milliseconds.
    let sentAt: Int64
    let campaign: CampaignPlan
    let variant: String?
    /// Which of the phone's tokens it was sent to.
    let token: Int
    /// Ascending; empty when another sender kept them to itself.
    var answers: [PlannedAnswer]
    let takenByProvider: Bool
    var sightings: [Sighting] = []
    /// The version of the app on the phone when it was sent.
    var build: AppBuild?
    /// The phone really had it, and alerts were allowed, whoever reported that.
    var wasShown = false
    /// When the sender's withdrawal reaches the server.
    var recalledAt: Int64?
    var scenarios: [SimulatedScenario]

    /// The first rejection, if nothing was accepted.
    var rejection: SimulatedRejectionClass? {
        isAccepted ? nil : answers.lazy.compactMap(\.reason.rejection).first
    }

    var isAttempted: Bool { !answers.isEmpty }
    var isAccepted: Bool { answers.contains { $0.reason.verdict == .accepted } }
    var isReportable: Bool { isAccepted && campaign.isReportable }

    func was(_ kind: Sighting.Kind) -> Bool {
        sightings.contains { $0.kind == kind }
    }

    /// Nothing that reaches the server after `horizon` is ever posted, so it is as if nobody had seen it.
    mutating func forgetEverything(after horizon: Int64) {
        let known = answers.count + sightings.count
        answers.removeAll { $0.postedAt > horizon }
        sightings.removeAll { $0.postedAt > horizon }
        if let withdrawn = recalledAt, withdrawn > horizon { recalledAt = nil }
        if answers.count + sightings.count < known { scenarios.append(.eventPastHorizon) }
    }

    /// What a fault of the window keeps from the server.
    mutating func loseEvents(to settings: SimulationSettings) {
        if settings.has(.lostAnswers, at: sentAt) {
            answers = []
            recalledAt = nil
        }
        if settings.scenario == .deafServer {
            sightings.removeAll { settings.fault.contains($0.postedAt) }
        }
    }
}

/// Something a device saw of a notification.
struct Sighting {
    enum Kind: String {
        case arrival
        case presentation
        case click
        case dismissal
    }

    let kind: Kind
    /// True time of the sighting, whatever the phone's clock says.
    let occurredAt: Int64
    /// When the report reaches the server.
    let postedAt: Int64
    /// Nil for an app that never registered here.
    let installation: Int?
    let software: Software
    var action: String?
    var appState: String?
}
