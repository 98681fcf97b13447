/// What really happened: the numbers the reports must show once every step is posted, and no other.
///
/// All counts come from the simulated reality itself, never from the events made of it.
public struct SimulatedTruth: Sendable, Codable, Equatable {
    /// The instants in which notifications were sent: from `windowStart`, inclusive, to `windowEnd`,
    /// exclusive (ms).
    public let windowStart: Int64
    public let windowEnd: Int64
    public let totals: SimulatedCounts
    /// One row per campaign with an attempted notification, in the order of their sending; last the row
    /// without a campaign.
    public let campaigns: [SimulatedCampaignTruth]
    /// One row per UTC day of `sent_at` with an attempted notification, ascending.
    public let days: [SimulatedPeriodTruth]
    /// One row per hour of `sent_at` with an attempted notification, ascending.
    public let hours: [SimulatedPeriodTruth]
    /// What became of reportable notifications, by the version of the app that was on the phone when they were sent; ascending.
    public let versions: [SimulatedVersionTruth]
    /// Of the notifications to installations that are registered with a version of the app whose extension reports.
    public let capable: SimulatedCapableTruth
    /// Notifications with device events but without any provider answer.
    public let unmatched: Int
    public let installations: SimulatedInstallationTruth
    public let tokens: SimulatedTokenTruth
    /// How often each situation really occurred in the posted traffic.
    public let scenarios: [SimulatedScenario: Int]

    enum CodingKeys: String, CodingKey {
        case windowStart = "window_start"
        case windowEnd = "window_end"
        case totals, campaigns, days, hours, versions, capable, unmatched, installations, tokens, scenarios
    }
}

/// Notifications by milestone. Device milestones count accepted notifications only.
public struct SimulatedCounts: Sendable, Codable, Equatable {
    /// A provider answer, or an explicit "no answer came", is recorded.
    public internal(set) var attempted = 0
    public internal(set) var accepted = 0
    /// Never accepted, by the class of the answer; classes that are zero are absent.
    public internal(set) var rejected: [SimulatedRejectionClass: Int] = [:]
    /// Accepted, push type `alert`, `mutable_content` not false.
    public internal(set) var reportable = 0
    public internal(set) var arrived = 0
    /// Arrived, presented, clicked or dismissed.
    public internal(set) var confirmed = 0
    public internal(set) var presented = 0
    public internal(set) var clicked = 0
    public internal(set) var dismissed = 0
    /// Confirmed and reportable, but not arrived: a lost receipt.
    public internal(set) var confirmedUnreported = 0
    /// The device had it although only rejections are on record.
    public internal(set) var contradicted = 0
    /// Accepted, later withdrawn by the sender; such a notification is never confirmed here.
    public internal(set) var recalled = 0

    /// Rejections of every class.
    public var rejectedTotal: Int { rejected.values.reduce(0, +) }

    enum CodingKeys: String, CodingKey {
        case attempted, accepted, rejected, reportable, arrived, confirmed, presented, clicked, dismissed
        case confirmedUnreported = "confirmed_unreported"
        case contradicted, recalled
    }
}

/// The class of a rejection, as reports show it.
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

/// The counts of one campaign; `key` is nil for notifications without a campaign.
public struct SimulatedCampaignTruth: Sendable, Codable, Equatable {
    public let key: String?
    public let counts: SimulatedCounts
}

/// The counts of the notifications sent in one UTC day or hour.
public struct SimulatedPeriodTruth: Sendable, Codable, Equatable {
    /// Beginning of the day or hour, Unix milliseconds.
    public let start: Int64
    public let counts: SimulatedCounts
}

/// Distinct installations over the whole window. A token that nobody registered stands for itself.
public struct SimulatedInstallationTruth: Sendable, Codable, Equatable {
    /// Installations that ever registered.
    public internal(set) var registered = 0
    /// At least one active alert token at the end, and permission not `denied`.
    public internal(set) var audience = 0
    /// Owners, at the instant of the answer, of the tokens of attempted notifications.
    public internal(set) var targeted = 0
    /// Targeted installations with a confirmed notification.
    public internal(set) var reached = 0
    /// Targeted installations with a click.
    public internal(set) var engaged = 0
}
