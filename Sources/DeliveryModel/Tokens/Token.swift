/// Whether a device token can be trusted with a push.
public enum TokenState: String, CaseIterable, Sendable {
    case active
    /// Do not trust, do not delete.
    case suspect
    /// Silent for too long.
    case stale
    /// Do not send.
    case retired
}

/// Why a token's state changed, or why it deliberately did not. Closed: these are our own decisions.
public enum TokenRule: String, CaseIterable, Sendable {
    /// A new value for an installation, kind, environment and topic.
    case registered
    /// An answer named a token that no app has registered.
    case discovered
    /// Another value took its slot.
    case rotated
    /// A suspect, stale or retired token was registered again.
    case revived
    /// Another installation registered the value.
    case transferred
    /// 410, or the like of it: the provider says the token is dead.
    case unregistered
    /// The provider confirmed the death before the app registered the token again.
    case late410Ignored = "late_410_ignored"
    /// 400 BadDeviceToken and its kin: malformed, or of the other environment.
    case badToken = "bad_token"
    /// A suspect token was accepted.
    case accepted
    case loggedOut = "logged_out"
    /// No sign of life for too long.
    case stale
    /// A sign of life from a stale token's installation.
    case signOfLife = "sign_of_life"
    /// Stale for too long; the value is erased.
    case swept
    /// An answer would have retired it, among too many others at once.
    case breaker
    /// Somebody decided that the answers behind the breaker were wrong.
    case released
    /// Somebody decided that the answers behind the breaker were right.
    case confirmed
    /// Somebody undid what a rule had done.
    case restored
    /// Its time, as the app gave it, is over: a Live Activity ended.
    case expired
    /// On request of the person whose device it was on. Nothing revives it but a new registration.
    case erased
}

/// What the rules need to know about a token.
public struct Token: Hashable, Sendable {
    public var tokenID: Int64
    public var state: TokenState
    /// The rule that led to a state other than active.
    public var cause: TokenRule?
    /// Nil while only a sender knows it.
    public var installationID: Int64?
    /// Nil when no app ever registered it.
    public var lastRegisteredAt: Instant?
    /// Send time of the last accepted push, at most a day behind (see ``TokenRules/writeInterval``).
    public var lastAcceptedAt: Instant?
    /// Send time of the first push since then that was refused with suspicion.
    public var firstRefusedAt: Instant?
    /// Send time of the last such push.
    public var lastRefusedAt: Instant?
    /// When it died, as far as providers say; at most a day behind. Nil when none said so since the last registration.
    public var diedAt: Instant?

    public init(tokenID: Int64, state: TokenState) {
        self.tokenID = tokenID
        self.state = state
    }
}

/// A provider's answer as evidence about the token it was sent to.
public struct TokenEvidence: Hashable, Sendable {
    public var outcome: Outcome
    public var provider: String
    public var status: Int
    public var reason: String?
    /// When the push was sent.
    public var sentAt: Instant
    /// The provider's own time of the token's death, when it gave one.
    public var invalidSince: Instant?
    /// The same value is registered in, or was accepted by, the other environment.
    public var isKnownInOtherEnvironment: Bool
    /// What a suspicious refusal is weighed by; nil for other answers.
    public var environment: EnvironmentEvidence?
    /// The sender's last word on the push: it corrects an acceptance of the same push.
    public var isFinal = false

    public init(
        outcome: Outcome, provider: String, status: Int, reason: String?, sentAt: Instant,
        invalidSince: Instant?, isKnownInOtherEnvironment: Bool = false
    ) {
        self.outcome = outcome
        self.provider = provider
        self.status = status
        self.reason = reason
        self.sentAt = sentAt
        self.invalidSince = invalidSince
        self.isKnownInOtherEnvironment = isKnownInOtherEnvironment
    }

    /// When the token died, for answers that say it did. Where the provider gives no time, that of the push stands in.
    var diedAt: Instant { invalidSince ?? sentAt }

    /// What is behind a suspicious refusal; nil for other answers.
    public func environmentVerdict(on token: Token) -> EnvironmentVerdict? {
        guard outcome.tokenVerdict == .suspect else { return nil }
        guard var environment else { return isKnownInOtherEnvironment ? .wrongEnvironment : .undecided }
        environment.acceptedAt = token.lastAcceptedAt
        return EnvironmentVerdict(environment)
    }
}

/// What a rule decided.
public struct TokenChange: Hashable, Sendable {
    public var to: TokenState
    public var rule: TokenRule

    public init(to: TokenState, rule: TokenRule) {
        self.to = to
        self.rule = rule
    }
}
