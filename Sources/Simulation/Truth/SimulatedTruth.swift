/// The truth: exactly the numbers that reports must show once every step is posted.
///
/// All counts come from the simulated reality itself, never from the events generated from it.
public struct SimulatedTruth: Sendable, Codable, Equatable {
    /// Notifications were sent from `windowStart`, inclusive, to `windowEnd`, exclusive (Unix milliseconds).
    public let windowStart: Int64
    public let windowEnd: Int64
    public let totals: SimulatedCounts
    /// One row per campaign with an attempted notification, in sending order; the row without one is last.
    public let campaigns: [SimulatedCampaignTruth]
    /// One row per UTC day of `sent_at` with an attempted notification, ascending.
    public let days: [SimulatedPeriodTruth]
    /// One row per hour of `sent_at` with an attempted notification, ascending.
    public let hours: [SimulatedPeriodTruth]
    /// The outcome of reportable notifications by the phone's app version when they were sent; ascending.
    public let versions: [SimulatedVersionTruth]
    /// The notifications to installations registered with a version of the app whose extension reports.
    public let capable: SimulatedCapableTruth
    /// Notifications with device events but without any provider response.
    public let unmatched: Int
    public let installations: SimulatedInstallationTruth
    public let tokens: SimulatedTokenTruth
    /// The number of times that each situation occurred in the posted traffic.
    public let scenarios: [SimulatedScenario: Int]

    enum CodingKeys: String, CodingKey {
        case windowStart = "window_start"
        case windowEnd = "window_end"
        case totals, campaigns, days, hours, versions, capable, unmatched, installations, tokens, scenarios
    }
}

/// Notifications by milestone. Device milestones count accepted notifications only.
public struct SimulatedCounts: Sendable, Codable, Equatable {
    /// A provider response, or an explicit "no response", is recorded.
    public internal(set) var attempted = 0
    public internal(set) var accepted = 0
    /// Never accepted, by the class of the response; classes with no notification are absent.
    public internal(set) var rejected: [SimulatedRejectionClass: Int] = [:]
    /// Accepted, push type `alert`, `mutable_content` not false.
    public internal(set) var reportable = 0
    public internal(set) var arrived = 0
    /// Arrived, presented, clicked or dismissed.
    public internal(set) var confirmed = 0
    public internal(set) var presented = 0
    public internal(set) var clicked = 0
    public internal(set) var dismissed = 0
    /// Confirmed and reportable, but not arrived: the receipt was lost.
    public internal(set) var confirmedUnreported = 0
    /// The device had it, although only rejections are on record.
    public internal(set) var contradicted = 0
    /// Accepted and later recalled by the sender; such a notification is never confirmed here.
    public internal(set) var recalled = 0

    /// The rejections of all classes.
    public var rejectedTotal: Int { rejected.values.reduce(0, +) }

    enum CodingKeys: String, CodingKey {
        case attempted, accepted, rejected, reportable, arrived, confirmed, presented, clicked, dismissed
        case confirmedUnreported = "confirmed_unreported"
        case contradicted, recalled
    }
}

/// The class of a rejection, as in reports.
public enum SimulatedRejectionClass: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case tokenDead = "token_dead"
    case tokenSuspect = "token_suspect"
    case wrongTopic = "wrong_topic"
    case wrongEnvironment = "wrong_environment"
    case payloadError = "payload_error"
    case requestError = "request_error"
    case authError = "auth_error"
    case throttled
    case providerError = "provider_error"
    case unknown
}

/// The counts of one campaign; `key` is `nil` for notifications without a campaign.
public struct SimulatedCampaignTruth: Sendable, Codable, Equatable {
    public let key: String?
    public let counts: SimulatedCounts
}

/// The counts of the notifications sent in one UTC day or hour.
public struct SimulatedPeriodTruth: Sendable, Codable, Equatable {
    /// The beginning of the day or hour, Unix milliseconds.
    public let start: Int64
    public let counts: SimulatedCounts
}

/// Distinct installations over the whole window. An unregistered token counts as one of its own.
public struct SimulatedInstallationTruth: Sendable, Codable, Equatable {
    /// Installations that ever registered.
    public internal(set) var registered = 0
    /// Installations with at least one active alert token at the end, and a permission other than `denied`.
    public internal(set) var audience = 0
    /// Owners of the tokens of attempted notifications, at the instant of the response.
    public internal(set) var targeted = 0
    /// Targeted installations with a confirmed notification.
    public internal(set) var reached = 0
    /// Targeted installations with a click.
    public internal(set) var engaged = 0
}

/// The outcome of the reportable notifications to phones with one version of the app, and the number that no
/// observer could know: how many really arrived.
public struct SimulatedVersionTruth: Sendable, Codable, Equatable {
    public let appVersion: String
    /// Its extension reports arrivals.
    public let hasExtension: Bool
    public internal(set) var reportable = 0
    /// On the phone, whether or not it was reported.
    public internal(set) var shown = 0
    /// Reported by the extension.
    public internal(set) var arrived = 0
    /// Presented, clicked or dismissed.
    public internal(set) var responded = 0
    /// Presented, clicked or dismissed, but not reported by the extension.
    public internal(set) var respondedUnreported = 0

    enum CodingKeys: String, CodingKey {
        case appVersion = "app_version"
        case hasExtension = "has_extension"
        case reportable, shown, arrived, responded
        case respondedUnreported = "responded_unreported"
    }
}

extension SimulatedVersionTruth {
    mutating func add(_ notification: PlannedNotification) {
        guard notification.isReportable else { return }
        reportable += 1
        if notification.wasShown { shown += 1 }
        let hasArrived = notification.was(.arrival)
        if hasArrived { arrived += 1 }
        guard notification.sightings.contains(where: { $0.kind != .arrival }) else { return }
        responded += 1
        if !hasArrived { respondedUnreported += 1 }
    }
}

/// The outcome of notifications to installations that were registered with a version of the app whose
/// extension reports. The version on the phone when they arrived does not matter.
public struct SimulatedCapableTruth: Sendable, Codable, Equatable {
    public internal(set) var accepted = 0
    public internal(set) var reportable = 0
    /// Reportable, and reported by an extension.
    public internal(set) var arrived = 0
    /// Notifications to all other installations and tokens: reportable, and neither confirmed nor recalled.
    public internal(set) var unconfirmedOfOthers = 0

    enum CodingKeys: String, CodingKey {
        case accepted, reportable, arrived
        case unconfirmedOfOthers = "unconfirmed_of_others"
    }
}

extension SimulatedCapableTruth {
    mutating func add(_ notification: PlannedNotification, isCapable: Bool) {
        guard notification.isAccepted else { return }
        if isCapable {
            accepted += 1
            if notification.isReportable { reportable += 1 }
            if notification.isReportable, notification.was(.arrival) { arrived += 1 }
        } else if notification.isReportable, notification.sightings.isEmpty, notification.recalledAt == nil {
            unconfirmedOfOthers += 1
        }
    }

    mutating func add(_ other: SimulatedCapableTruth) {
        accepted += other.accepted
        reportable += other.reportable
        arrived += other.arrived
        unconfirmedOfOthers += other.unconfirmedOfOthers
    }
}
