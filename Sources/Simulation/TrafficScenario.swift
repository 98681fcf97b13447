/// The traffic of a window: the usual mixture, days without a fault, or days with a fault in the last hours.
public enum TrafficScenario: String, Sendable, CaseIterable {
    /// A little of everything that a push team experiences.
    case ordinary
    /// Three campaigns a day at the same hours, and transactional notifications throughout.
    /// Phones come and go, and nothing is wrong.
    case healthy
    /// The latest build was signed for development, so its tokens are bad in production.
    case developmentBuild = "development-build"
    /// The latest build has its own bundle id.
    case wrongTopic = "wrong-topic"
    /// The provider token was not renewed.
    case expiredCredentials = "expired-credentials"
    /// The sender pushes to the sandbox, where all tokens are bad.
    case wrongHost = "wrong-host"
    /// A template exceeds 4,096 bytes.
    case oversizedPayload = "oversized-payload"
    /// The provider rejects more than half of the pushes or does not respond.
    case providerOutage = "provider-outage"
    /// The extension of the build that most phones have no longer reports.
    case silentExtension = "silent-extension"
    /// The latest build never had an extension, unlike those before it. This applies to the whole window.
    case lostExtension = "lost-extension"
    /// The campaigns of the last day are sent without mutable-content.
    case noMutableContent = "no-mutable-content"
    /// The campaigns of the last day are sent with content-available.
    case contentAvailable = "content-available"
    /// Nothing is sent.
    case silentSender = "silent-sender"
    /// Pushes are sent, but the provider's responses are not posted.
    case lostResponses = "lost-answers"
    /// Device events are lost.
    case deafServer = "deaf-server"
    /// Nearly every push is rejected with 410, although the apps are installed. The truth
    /// about tokens does not include a breaker.
    case massRejection = "mass-rejection"
    /// The provider drops one token in six at once, although the apps are installed.
    case tokenPurge = "token-purge"
    /// Another sender pushes to the same phones, and posts no responses.
    case foreignSender = "foreign-sender"

    /// Whether nothing goes wrong before the last hours.
    var isSound: Bool { self != .ordinary }

    /// The duration of the fault at the end of the window, in hours.
    fileprivate var faultHours: Int64 {
        switch self {
        case .providerOutage: 2
        case .expiredCredentials, .wrongHost, .oversizedPayload, .silentSender, .lostResponses: 6
        case .deafServer, .massRejection: 12
        default: 24
        }
    }
}

extension SimulationSettings {
    /// The time of the scenario's fault.
    var fault: Range<Int64> {
        max(window.lowerBound, window.upperBound - .hours(scenario.faultHours))..<window.upperBound
    }

    func has(_ fault: TrafficScenario, at instant: Int64) -> Bool {
        scenario == fault && self.fault.contains(instant)
    }
}
