/// What goes on in a window: the usual mixture, a day without a fault, or such days whose last hours have one.
public enum TrafficScenario: String, Sendable, Codable, CaseIterable {
    /// A little of everything a push team meets, once.
    case ordinary
    /// Three campaigns a day at the same hours and transactional notifications all along; phones come and go, and nothing is
    /// wrong.
    case healthy
    /// The latest build was signed for development: its tokens are bad in production.
    case developmentBuild = "development-build"
    /// The latest build has a bundle id of its own.
    case wrongTopic = "wrong-topic"
    /// Nobody renewed the provider token.
    case expiredCredentials = "expired-credentials"
    /// The sender talks to the sandbox: all tokens are bad there.
    case wrongHost = "wrong-host"
    /// A template grew beyond 4,096 bytes.
    case oversizedPayload = "oversized-payload"
    /// The provider refuses more than half of the pushes, or does not answer.
    case providerOutage = "provider-outage"
    /// The extension of the build that most phones have reports nothing any more.
    case silentExtension = "silent-extension"
    /// The latest build never had an extension, while those before have. Throughout the window.
    case lostExtension = "lost-extension"
    /// The campaigns of the last day go without mutable-content.
    case noMutableContent = "no-mutable-content"
    /// Nothing is sent.
    case silentSender = "silent-sender"
    /// Pushes are sent, but nobody posts what the provider answers.
    case lostAnswers = "lost-answers"
    /// What devices post gets lost.
    case deafServer = "deaf-server"
    /// Nearly every push is refused with 410, although the apps are there. The truth about tokens knows no breaker.
    case massRefusal = "mass-refusal"
    /// The provider gives up one token in six at once, although the apps are there.
    case tokenPurge = "token-purge"
    /// Somebody else pushes to the same phones, and posts no answers.
    case foreignSender = "foreign-sender"

    /// Whether nothing goes wrong outside the last hours.
    var isSound: Bool { self != .ordinary }

    /// How long the fault lasts, at the end of the window.
    fileprivate var faultHours: Int64 {
        switch self {
        case .providerOutage: 2
        case .expiredCredentials, .wrongHost, .oversizedPayload, .silentSender, .lostAnswers: 6
        case .deafServer, .massRefusal: 12
        default: 24
        }
    }
}

extension SimulationSettings {
    /// When the fault of the scenario is.
    var fault: Range<Int64> {
        max(window.lowerBound, window.upperBound - .hours(scenario.faultHours))..<window.upperBound
    }

    func has(_ fault: TrafficScenario, at instant: Int64) -> Bool {
        scenario == fault && self.fault.contains(instant)
    }
}
