internal import Foundation

/// One notification to one token, with all responses and sightings.
struct PlannedNotification {
    let id: UUID
    /// The time the push was sent, Unix milliseconds.
    let sentAt: Int64
    let campaign: CampaignPlan
    let variant: String?
    /// The position of the phone's token that it was sent to.
    let token: Int
    /// Ascending by instant; empty if another sender does not post them.
    var responses: [PlannedResponse]
    let takenByProvider: Bool
    var sightings: [Sighting] = []
    /// The version of the app on the phone at the time of sending.
    var build: SimulatedBuild?
    /// The phone had the notification and alerts were allowed, whether or not it was reported.
    var wasShown = false
    /// The instant at which the sender's recall reaches the server, Unix milliseconds.
    var recalledAt: Int64?
    var scenarios: [SimulatedScenario]

    /// Whether it has content-available, as background pushes need. The id decides, so that no other choice
    /// of the simulation depends on it.
    var wakesApp: Bool {
        campaign.pushType == "background" || Double(id.uuid.15) < 256 * campaign.wakingShare
    }

    /// The first rejection, if nothing was accepted.
    var rejection: SimulatedRejectionClass? {
        isAccepted ? nil : responses.lazy.compactMap(\.reason.rejection).first
    }

    var isAttempted: Bool { !responses.isEmpty }
    var isAccepted: Bool { responses.contains { $0.reason.verdict == .accepted } }
    var isReportable: Bool { isAccepted && campaign.isReportable }

    func was(_ kind: Sighting.Kind) -> Bool {
        sightings.contains { $0.kind == kind }
    }

    /// Removes what would reach the server after `horizon`: it is never posted, so it is not in the truth.
    mutating func forgetEverything(after horizon: Int64) {
        let known = responses.count + sightings.count
        responses.removeAll { $0.postedAt > horizon }
        sightings.removeAll { $0.postedAt > horizon }
        if let withdrawn = recalledAt, withdrawn > horizon { recalledAt = nil }
        if responses.count + sightings.count < known { scenarios.append(.eventPastHorizon) }
    }

    /// Removes the events that a fault of the window keeps from the server.
    mutating func loseEvents(to settings: SimulationSettings) {
        if settings.has(.lostResponses, at: sentAt) {
            responses = []
            recalledAt = nil
        }
        if settings.scenario == .deafServer {
            sightings.removeAll { settings.fault.contains($0.postedAt) }
        }
    }
}

/// One sighting of a notification on a device.
struct Sighting {
    enum Kind: String {
        case arrival
        case presentation
        case click
        case dismissal
    }

    let kind: Kind
    /// The true time of the sighting, independent of the phone's clock.
    let occurredAt: Int64
    /// The instant at which the device event reaches the server, Unix milliseconds.
    let postedAt: Int64
    /// `nil` for an app that never registered with Landfall.
    let installation: Int?
    let software: Software
    var action: String?
    var appState: String?
}
