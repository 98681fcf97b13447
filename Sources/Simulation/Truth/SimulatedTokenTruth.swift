/// The ledger of tokens after the last step. A token is a value in one environment and topic.
public struct SimulatedTokenTruth: Sendable, Codable, Equatable {
    /// Tokens that an app registered, by state.
    public internal(set) var registered = SimulatedTokenStates()
    /// Tokens known from provider answers only, by state.
    public internal(set) var unregistered = SimulatedTokenStates()
    /// Rows of the ledger by rule: every change of state, and the late refusals that changed nothing. Rules
    /// that never applied are absent.
    public internal(set) var transitions: [SimulatedTokenRule: Int] = [:]

    /// Both kinds together.
    public var total: SimulatedTokenStates {
        SimulatedTokenStates(
            active: registered.active + unregistered.active,
            suspect: registered.suspect + unregistered.suspect,
            retired: registered.retired + unregistered.retired)
    }
}

/// Tokens by state.
public struct SimulatedTokenStates: Sendable, Codable, Equatable {
    public internal(set) var active = 0
    public internal(set) var suspect = 0
    public internal(set) var retired = 0
}

/// Why a token changed its state.
public enum SimulatedTokenRule: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// A value that was new in its environment and topic, also when it replaced another one.
    case registered
    /// An answer named a value that no app has registered; its row begins active.
    case discovered
    /// The value that was replaced in its slot.
    case rotated
    /// A suspect or retired value was registered again by its owner and became active.
    case revived
    /// The value arrived from another installation.
    case transferred
    /// 410 of any reason, not older than the last registration.
    case unregistered
    /// 410 older than the last registration: nothing changed.
    case lateRefusalIgnored = "late_410_ignored"
    /// A refused value became suspect, or a suspect one retired.
    case badToken = "bad_token"
    /// A suspect value was accepted.
    case accepted
}

/// Situations of a real push team's day.
public enum SimulatedScenario: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case rotatedToken, oldTokenAccepted, oldTokenRefused
    case reinstalledWithSameToken, reinstalledWithNewToken, abandonedTokenAccepted
    case uninstalledTokenRefused, revivedToken, lateRefusal
    case wrongEnvironmentBuild, wrongTopic, senderOnlyToken, malformedToken, momentaryRefusal
    case backgroundPush, forgottenMutableContent, versionFourID
    case throttledThenAccepted, unavailableThenAccepted, expiredProviderToken, payloadTooLarge, noAnswer
    case permissionOff, extensionAbsent, lostReceipt, supersededInStorage, eventAfterWindow, eventPastHorizon
    case arrivedAndPresented, customAction, clickReportedTwice, repeatedEvent
    case arrivalBeforeResponse, clickBeforeArrival
    case unmatched, contradicted, recalled
}
