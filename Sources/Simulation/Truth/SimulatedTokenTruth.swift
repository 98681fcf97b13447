/// The ledger of tokens after the last step. A token is a value in one environment and topic.
public struct SimulatedTokenTruth: Sendable, Codable, Equatable {
    /// Tokens that an app registered, by state.
    public internal(set) var registered = SimulatedTokenStates()
    /// Tokens known only from provider responses, by state.
    public internal(set) var unregistered = SimulatedTokenStates()
    /// Rows of the ledger by rule: every transition, and the late rejections that changed
    /// nothing. Rules that never applied are absent.
    public internal(set) var transitions: [SimulatedTokenRule: Int] = [:]

    /// Both kinds together.
    public var total: SimulatedTokenStates {
        var total = registered
        total.add(unregistered)
        return total
    }
}

public struct SimulatedTokenStates: Sendable, Codable, Equatable {
    public internal(set) var active = 0
    public internal(set) var suspect = 0
    public internal(set) var retired = 0
}

/// The reason for a transition.
public enum SimulatedTokenRule: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// A value that was new in its environment and topic, also if it replaced another one.
    case registered
    /// A response named a value that no app has registered; its row starts as active.
    case discovered
    /// The value that was replaced in its slot.
    case rotated
    /// The owner registered a suspect or retired value again, and it became active.
    case revived
    /// Another installation registered the value.
    case transferred
    /// 410 with any reason, not older than the last registration.
    case unregistered
    /// 410 older than the last registration: nothing changed.
    case lateRejectionIgnored = "late_410_ignored"
    /// A rejected value became suspect, or a suspect one retired.
    case badToken = "bad_token"
    /// A suspect value was accepted.
    case accepted
}

/// Situations in a real push team's day.
public enum SimulatedScenario: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case rotatedToken, oldTokenAccepted, oldTokenRejected
    case reinstalledWithSameToken, reinstalledWithNewToken, abandonedTokenAccepted
    case uninstalledTokenRejected, revivedToken, lateRejection
    case wrongEnvironmentBuild, wrongTopic, senderOnlyToken, malformedToken, momentaryRejection
    case backgroundPush, forgottenMutableContent, versionFourID
    case throttledThenAccepted, unavailableThenAccepted, expiredProviderToken, payloadTooLarge, noResponse
    case permissionOff, extensionAbsent, lostReceipt, supersededInStorage, eventAfterWindow, eventPastHorizon
    case arrivedAndPresented, customAction, clickReportedTwice, repeatedEvent
    case arrivalBeforeResponse, clickBeforeArrival
    case unmatched, contradicted, recalled
}
